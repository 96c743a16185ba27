/// A field of a form as a value in a design: what was entered, and whether it is valid.
///
/// The changes of a field are those of ``FieldRules``, its blueprint;
/// ``Feature/field(issue:after:ask:)`` plugs it in.
public struct FormField<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Equatable,
  Sendable
{
  /// What was entered last, which is a text most often.
  public private(set) var value: Value
  /// Whether the person has left the field, or tried to submit the form.
  public private(set) var isTouched = false
  /// Whether the value is valid, as far as it is known.
  public private(set) var check = FieldCheck.unchecked
  /// What is wrong with the value, when that is known.
  public private(set) var issue: Issue?

  /// Creates a field that nobody has touched.
  public init(_ value: Value) {
    self.value = value
  }

  /// The issue, once the field was touched.
  ///
  /// Nobody wants to hear that an address is wrong while they type its first letter.
  public var shownIssue: Issue? { isTouched ? issue : nil }

  /// Takes note that the person left the field or tried to submit the form, and asks for its check.
  ///
  /// A blueprint around the field calls this, when the focus moves on or the form is submitted.
  public mutating func touch() {
    isTouched = true
    if check == .unchecked { check = .checking }
  }

  /// Puts a value of the program's own into the field, such as a saved one, as if the field were
  /// new.
  public mutating func reset(to value: Value) { self = FormField(value) }

  /// The value whose check is to be answered.
  var question: Value? { check == .checking ? value : nil }

  mutating func enter(_ value: Value) {
    self.value = value
    ask()
  }

  mutating func ask() {
    check = .checking
    issue = nil
  }

  mutating func answer(_ issue: Issue?) {
    check = issue == nil ? .valid : .invalid
    self.issue = issue
  }
}

extension FormField: Codable where Value: Codable, Issue: Codable {}

/// How far the check of a field has come.
public enum FieldCheck: Equatable, Sendable, Codable {
  /// Nobody has entered anything or left the field yet.
  case unchecked
  /// An answer is still to come.
  case checking
  /// Nothing is wrong.
  case valid
  /// Something is wrong: ``FormField/issue`` says what.
  case invalid
}

/// The blueprint of a field: what its changes do, and which values have an issue.
public struct FieldRules<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Blueprint {
  /// The field.
  public typealias Design = FormField<Value, Issue>

  /// What can happen to a field.
  public enum Change: Equatable, Sendable {
    /// The person entered a value.
    case enter(Value)
    /// The person left the field.
    case touch
    /// What the asynchronous check depends on may have changed: ask it again.
    case refresh
    /// The check of a value is over; `nil` where nothing is wrong.
    case answer(Value, Issue?)
  }

  let issue: @Sendable (Value) -> Issue?
  let isAsked: Bool

  /// Applies a change.
  ///
  /// An answer counts only while the field waits for one about that very value, so that the newest
  /// value wins.
  public func change(_ field: inout Design, on change: Change) {
    switch change {
    case .enter(let value):
      // The answer for this value is there, or under way.
      if value == field.value, field.check != .unchecked { return }
      field.enter(value)
      answer(&field)
    case .touch:
      field.touch()
      answer(&field)
    case .refresh:
      field.ask()
      answer(&field)
    case .answer(let value, let issue):
      if field.question == value { field.answer(issue) }
    }
  }

  /// Answers as far as no asynchronous check is needed.
  private func answer(_ field: inout Design) {
    guard let value = field.question else { return }
    let issue = issue(value)
    if issue != nil || !isAsked { field.answer(issue) }
  }
}
