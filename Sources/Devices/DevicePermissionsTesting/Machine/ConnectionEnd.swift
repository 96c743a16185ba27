internal import Glibc

/// The other end of a connection that an in-memory portal has given to a program.
final class ConnectionEnd: Sendable {
  private let descriptor: Int32

  init(adopting descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A Boolean value that indicates whether the program has closed its end.
  var isLeft: Bool {
    var look = pollfd(fd: descriptor, events: 0, revents: 0)
    return unsafe poll(&look, 1, 0) == 1
  }
}
