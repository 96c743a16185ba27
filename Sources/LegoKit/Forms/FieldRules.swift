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
