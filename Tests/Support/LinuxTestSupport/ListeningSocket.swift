import Foundation
import Glibc

/// A socket in a place of its own to which programs can connect; it is gone with the value.
package final class ListeningSocket: Sendable {
  package let path: String
  /// The socket, of which accept(2) takes connections.
  package let descriptor: Int32

  /// Begins to listen.
  ///
  /// - Throws: `SystemError`.
  package init() throws {
    path = "/dev/shm/socket-\(UUID().uuidString)"
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

  /// The address of a bus that would listen here.
  package var address: String { "unix:path=\(path)" }
}
