public import Synchronization

/// A subscription that gives one value, at the first demand, and ends.
@usableFromInline final class OnceSubscription: Subscription {
  /// Sends the value, and then the end unless this is cancelled meanwhile.
  @usableFromInline let pending: Mutex<(@Sendable (OnceSubscription) -> Void)?>
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable init<S: Subscriber>(_ downstream: S, _ value: S.Input) {
    pending = Mutex({ subscription in
      _ = downstream.receive(value)
      if !subscription.isCancelled.load(ordering: .acquiring) {
        downstream.receive(completion: .finished)
      }
    })
  }

  /// Connects a subscriber to a result that is known already.
  @inlinable static func connect<S: Subscriber>(
    _ result: Result<S.Input, S.Failure>, to downstream: S
  ) {
    switch result {
    case .success(let value):
      downstream.receive(subscription: OnceSubscription(downstream, value))
    case .failure(let error):
      downstream.receive(subscription: Subscriptions.empty)
      downstream.receive(completion: .failure(error))
    }
  }

  @usableFromInline func request(_ demand: Subscribers.Demand) {
    if demand > .none { take()?(self) }
  }

  @usableFromInline func cancel() {
    isCancelled.store(true, ordering: .releasing)
    _ = take()
  }

  private func take() -> (@Sendable (OnceSubscription) -> Void)? {
    pending.withLock { $0.take() }
  }
}
