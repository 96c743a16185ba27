internal import AccessModel

/// The place of one source in the event loop, which ends with this value.
final class WatchRegistration: Sendable {
  private let id: UInt64
  private let loop: EventLoop

  init(_ id: UInt64, in loop: EventLoop) {
    self.id = id
    self.loop = loop
  }

  deinit { loop.remove(id) }

  /// Has the kernel keep what the source would tell, until ``resume()``.
  func pause() { loop.pause(id) }

  /// Watches on; what has happened meanwhile is told at once.
  ///
  /// - Throws: `ENOMEM` and `ENOSPC`: it is not watched yet.
  func resume() throws(Errno) { try loop.resume(id) }

  /// Stops watching; a second time does nothing.
  func cancel() { loop.remove(id) }
}
