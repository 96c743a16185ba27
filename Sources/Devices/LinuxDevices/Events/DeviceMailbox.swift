internal import Synchronization

/// Passes notices from the event loop to a consumer.
final class DeviceMailbox: Sendable {
  private let backlog = Mutex(DeviceBacklog())
  private let signal: AsyncStream<Void>.Continuation

  init(_ signal: AsyncStream<Void>.Continuation) {
    self.signal = signal
  }

  func add(_ event: DeviceEvent) {
    backlog.withLock { $0.add(event) }
    signal.yield()
  }

  func lose(_ reason: DeviceLoss) {
    backlog.withLock { $0.lose(reason) }
    signal.yield()
  }

  /// Removes and returns the next notice; `nil` if none is pending.
  func take() -> DeviceNotice? {
    backlog.withLock { $0.take() }
  }
}
