import Foundation
import Glibc

/// A listening socket with a unique path, which is removed when the value is deallocated.
package final class ListeningSocket: Sendable {
  package let path: String
  private let descriptor: Int32

  /// Creates the socket and starts to listen.
  ///
  /// - Throws: `SystemError`.
  package init() throws {
    path = "/dev/shm/\(TestName.unique)"
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: path.utf8)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, size)
      }
    }
    try SystemError.check(bound, "bind")
    try SystemError.check(listen(descriptor, 8), "listen")
  }

  deinit {
    close(descriptor)
    _ = unsafe unlink(path)
  }

  /// Waits for a connection.
  ///
  /// Programs that other tests start do not inherit the connection, because they would keep it
  /// open.
  ///
  /// - Returns: The descriptor of the connection, which the caller must close; -1 on failure.
  package func connection() -> Int32 {
    accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
  }

  /// The socket's path as a D-Bus address.
  package var address: String { "unix:path=\(path)" }
}

// glibc declares this function only with _GNU_SOURCE.
@_silgen_name("accept4") private func accept4(
  _ socket: Int32, _ address: UnsafeMutablePointer<sockaddr>?,
  _ length: UnsafeMutablePointer<socklen_t>?, _ flags: Int32
) -> Int32
