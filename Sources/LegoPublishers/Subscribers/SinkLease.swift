internal import Synchronization

/// Keeps a subscriber until it ends or is cancelled.
@usableFromInline final class SinkLease: Cancellable {
  private let subscriber: Mutex<(any Cancellable)?>

  @usableFromInline init(_ subscriber: any Cancellable) {
    self.subscriber = Mutex(subscriber)
  }

  @usableFromInline func cancel() { take()?.cancel() }

  /// Lets go of the subscriber, which has ended.
  @usableFromInline func end() { _ = take() }

  private func take() -> (any Cancellable)? {
    subscriber.withLock { subscriber in
      defer { subscriber = nil }
      return subscriber
    }
  }
}
