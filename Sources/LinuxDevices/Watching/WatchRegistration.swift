/// The place of one source in the event loop, which ends with this value.
final class WatchRegistration: Sendable {
  private let id: UInt64
  private let loop: EventLoop

  init(_ id: UInt64, in loop: EventLoop) {
    self.id = id
    self.loop = loop
  }

  deinit { loop.remove(id) }

  /// Stops watching; a second time does nothing.
  func cancel() { loop.remove(id) }
}
