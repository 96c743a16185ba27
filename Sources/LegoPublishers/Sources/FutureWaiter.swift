/// Someone who waits for a future's result.
@usableFromInline enum FutureWaiter<Output: Sendable, Failure: Error>: Sendable {
  case subscription(FutureSubscription<Output, Failure>)
  case closure(@Sendable (Output) -> Void)

  /// Tells the outcome.
  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    switch self {
    case .subscription(let subscription):
      subscription.settle(outcome)
    case .closure(let receiveValue):
      if case .result(.success(let value)) = outcome { receiveValue(value) }
    }
  }
}
