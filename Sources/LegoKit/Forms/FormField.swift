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
