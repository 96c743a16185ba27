internal import Synchronization

/// Keeps a subscriber until it ends or is cancelled.
final class SinkLease: Cancellable {
  private let subscriber: Mutex<(any Cancellable)?>

  init(_ subscriber: any Cancellable) {
    self.subscriber = Mutex(subscriber)
  }

  func cancel() { take()?.cancel() }

  /// Lets go of the subscriber, which has ended.
  func end() { _ = take() }

  private func take() -> (any Cancellable)? {
    subscriber.withLock { subscriber in
      defer { subscriber = nil }
      return subscriber
    }
  }
}
