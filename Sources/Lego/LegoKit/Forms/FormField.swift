/// A form field as a value in a design: the entered value, and whether it is valid.
///
/// ``FieldRules`` is the blueprint of a field. ``Feature/field(issue:after:ask:)`` plugs it in.
public struct FormField<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Equatable,
  Sendable
{
  /// The value that was entered last, most often a text.
  public private(set) var value: Value
  /// A Boolean value that indicates whether the user has left the field, or tried to submit the
  /// form.
  public private(set) var isTouched = false
  /// The state of the check of the value.
  public private(set) var check = FieldCheck.unchecked
  /// The issue of the value, if there is one.
  public private(set) var issue: Issue?

  /// Creates a field that the user has not touched.
  public init(_ value: Value) {
    self.value = value
  }

  /// The issue, if the field was touched.
  ///
  /// While the user types the first letters of an address, it is not reported as wrong.
  public var shownIssue: Issue? { isTouched ? issue : nil }

  /// Notes that the user left the field or tried to submit the form, and requests its check.
  ///
  /// A blueprint around the field calls this when the focus moves, or when the form is submitted.
  public mutating func touch() {
    isTouched = true
    if check == .unchecked { check = .checking }
  }

  /// Replaces the value, for example by a saved one, and makes the field untouched.
  public mutating func reset(to value: Value) { self = FormField(value) }

  /// The value to check.
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

/// The state of the check of a field.
public enum FieldCheck: Equatable, Sendable, Codable {
  /// The user has not entered anything or left the field yet.
  case unchecked
  /// The result is not known yet.
  case checking
  /// The value has no issue.
  case valid
  /// The value has an issue: ``FormField/issue``.
  case invalid
}

/// The blueprint of a field, which knows the issues of its values.
public struct FieldRules<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Blueprint {
  /// The field.
  public typealias Design = FormField<Value, Issue>

  /// A change of a field.
  public enum Change: Equatable, Sendable {
    /// The user entered a value.
    case enter(Value)
    /// The user left the field.
    case touch
    /// The result of the asynchronous check may have changed.
    ///
    /// The check is repeated.
    case refresh
    /// The check of a value has ended, with an issue or `nil`.
    case answer(Value, Issue?)
  }

  let issue: @Sendable (Value) -> Issue?
  let isAsked: Bool

  /// Applies a change.
  ///
  /// A result is used only if the field is still waiting for the check of that value, so an older
  /// value never wins.
  public func change(_ field: inout Design, on change: Change) {
    switch change {
    case .enter(let value):
      // The result for this value is known, or the check is running.
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

  /// Uses the result if no asynchronous check is needed.
  private func answer(_ field: inout Design) {
    guard let value = field.question else { return }
    let issue = issue(value)
    if issue != nil || !isAsked { field.answer(issue) }
  }
}
