internal import Glibc

/// Wakes a thread that is waiting for descriptors.
package final class BusWake: Sendable {
  /// The descriptor that becomes readable when ``signal()`` is called.
  package let reader: Int32
  private let writer: Int32

  package init() throws(BusFailure) {
    var ends: [Int32] = [-1, -1]
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else {
      throw BusFailure(errno: errno)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    close(reader)
    close(writer)
  }

  /// Wakes the thread, either now or the next time that it waits.
  package func signal() {
    var byte: UInt8 = 0
    // If the socket is full, its contents are sufficient to wake the thread.
    _ = unsafe write(writer, &byte, 1)
  }

  /// Discards the signals so far.
  package func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(reader, &bytes, bytes.count) == bytes.count {}
  }
}
