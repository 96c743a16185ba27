public import Synchronization

/// A subscription that gives one value, at the first demand, and ends.
@usableFromInline final class OnceSubscription<Downstream: Subscriber>: Subscription {
  @usableFromInline let pending: Mutex<(Downstream, Downstream.Input)?>

  @inlinable init(_ downstream: Downstream, _ value: Downstream.Input) {
    pending = Mutex((downstream, value))
  }

  /// Connects a subscriber to a result that is known already.
  @inlinable static func connect(
    _ result: Result<Downstream.Input, Downstream.Failure>, to downstream: Downstream
  ) {
    switch result {
    case .success(let value):
      downstream.receive(subscription: OnceSubscription(downstream, value))
    case .failure(let error):
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .failure(error))
    }
  }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none, let (downstream, value) = take() else { return }
    _ = downstream.receive(value)
    // A subscriber that cancelled while it received is not told of the end.
    if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
  }

  @inlinable func cancel() {
    isCancelled.store(true, ordering: .releasing)
    _ = take()
  }

  @usableFromInline let isCancelled = Atomic(false)

  @inlinable func take() -> (Downstream, Downstream.Input)? {
    pending.withLock { pending in
      defer { pending = nil }
      return pending
    }
  }
}
