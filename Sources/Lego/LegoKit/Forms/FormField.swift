/// A form field in a design: the entered value and the result of its check.
///
/// Plug it in with ``Feature/field(issue:after:ask:)``. Its blueprint is ``FieldRules``.
public struct FormField<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Equatable,
  Sendable
{
  /// The current value, usually text.
  public private(set) var value: Value
  /// A Boolean value that indicates whether the user has left the field or tried to submit the
  /// form.
  public private(set) var isTouched = false
  /// The state of the check.
  public private(set) var check = FieldCheck.unchecked
  /// The issue with the value, or `nil` if no check has found one.
  public private(set) var issue: Issue?

  /// Creates an untouched field.
  public init(_ value: Value) {
    self.value = value
  }

  /// The issue to show, or `nil` if there is none or the field is untouched.
  ///
  /// For example, an address is not reported as wrong while the user is first typing it.
  public var shownIssue: Issue? { isTouched ? issue : nil }

  /// Marks the field as touched, and requests its check unless it has already been requested.
  ///
  /// The form's blueprint calls this method when the focus leaves the field, or when the user
  /// submits the form.
  public mutating func touch() {
    isTouched = true
    if check == .unchecked { check = .checking }
  }

  /// Replaces the value, for example with a saved value, and marks the field as untouched and
  /// unchecked.
  public mutating func reset(to value: Value) { self = FormField(value) }

  /// The value that is waiting for its check, or `nil` if the field is not waiting.
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

/// The state of a field's check.
public enum FieldCheck: Equatable, Sendable, Codable {
  /// No check has been requested since the field was created or reset.
  case unchecked
  /// The value is being checked.
  case checking
  /// The check found no issue.
  case valid
  /// The check found an issue (see ``FormField/issue``).
  case invalid
}

/// The blueprint for a form field: the rules that decide whether a value has an issue.
public struct FieldRules<Value: Equatable & Sendable, Issue: Equatable & Sendable>: Blueprint {
  /// The form field.
  public typealias Design = FormField<Value, Issue>

  /// A change to a form field.
  public enum Change: Equatable, Sendable {
    /// The user entered a value.
    case enter(Value)
    /// The user left the field.
    case touch
    /// The result of the check may have changed, so the check is repeated.
    case refresh
    /// The check of a value has finished with the given issue, or with `nil` if there is none.
    case answer(Value, Issue?)
  }

  let issue: @Sendable (Value) -> Issue?
  let isAsked: Bool

  /// Applies a change.
  ///
  /// The result of a check is ignored if the user has entered a different value in the meantime.
  public func change(_ field: inout Design, on change: Change) {
    switch change {
    case .enter(let value):
      // Ignore a value that has already been checked, or whose check is running.
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

  /// Finishes the check, unless an asynchronous check is needed.
  private func answer(_ field: inout Design) {
    guard let value = field.question else { return }
    let issue = issue(value)
    if issue != nil || !isAsked { field.answer(issue) }
  }
}
