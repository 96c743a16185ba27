import Foundation
import Glibc

/// A socket that takes connections and never says anything.
package final class SilentBus {
  private let path: String
  private let listener: Int32

  package init() throws {
    path = "/dev/shm/silent-\(UUID().uuidString)"
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { place in
      unsafe place.copyBytes(from: path.utf8)
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let bound = unsafe withUnsafePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, size)
      }
    }
    try SystemError.check(bound, "bind")
    try SystemError.check(listen(listener, 8), "listen")
  }

  deinit {
    close(listener)
    _ = unsafe unlink(path)
  }

  package var address: String { "unix:path=\(path)" }
}
