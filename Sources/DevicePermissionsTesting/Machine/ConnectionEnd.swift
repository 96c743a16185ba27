internal import Glibc

/// The far end of a connection that a portal in memory has given.
final class ConnectionEnd: Sendable {
  private let descriptor: Int32

  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Whether the program has closed its end.
  var isLeft: Bool {
    var look = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&look, 1, 0) == 1
  }
}
