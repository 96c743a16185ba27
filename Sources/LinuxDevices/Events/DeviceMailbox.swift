internal import Synchronization

/// Where the event loop leaves notices, and a consumer finds them.
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

  /// Takes the next notice; `nil` when none waits.
  func take() -> DeviceNotice? {
    backlog.withLock { $0.take() }
  }
}
