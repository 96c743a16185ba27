internal import AccessModel

/// The registration of a source in the event loop, which ends when this value is deallocated.
final class WatchRegistration: Sendable {
  private let id: UInt64
  private let loop: EventLoop

  init(_ id: UInt64, in loop: EventLoop) {
    self.id = id
    self.loop = loop
  }

  deinit { loop.remove(id) }

  /// Stops reporting events until ``resume()`` is called; pending events stay queued.
  func pause() { loop.pause(id) }

  /// Continues reporting events; events that are still pending are reported immediately.
  ///
  /// - Throws: `ENOMEM` or `ENOSPC`. The source then remains paused.
  func resume() throws(Errno) { try loop.resume(id) }

  /// Stops watching; further calls have no effect.
  func cancel() { loop.remove(id) }
}
