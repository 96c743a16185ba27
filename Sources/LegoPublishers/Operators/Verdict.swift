/// What an operator does with a value.
@usableFromInline enum Verdict<Output: Sendable, Failure: Error>: Sendable {
  case pass(Output)
  /// Upstream is asked for another in its place.
  case drop
  /// Pass it, cancel upstream and finish.
  case last(Output)
  /// Cancel upstream and end.
  case end(Subscribers.Completion<Failure>)
}
