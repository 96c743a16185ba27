internal import AccessModel
internal import CLinux
internal import Glibc

/// Sends and receives bytes on a connected, nonblocking socket.
enum SocketBytes {
  /// Sends as many bytes as possible without blocking.
  ///
  /// - Returns: The number of bytes that were sent.
  /// - Throws: `EAGAIN` if nothing can be sent now, or another error of the system call.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) -> Int {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clinux_send(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 { throw Errno(negated: Int32(truncatingIfNeeded: count)) }
    return count
  }

  /// Receives the available bytes, at most 16 KiB.
  ///
  /// The kernel discards file descriptors that are sent with them.
  ///
  /// - Returns: The bytes; empty at the end of the stream.
  /// - Throws: `EAGAIN` if no bytes are available, or another error of the system call.
  static func receive(from descriptor: Int32) throws(Errno) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 14)
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      unsafe read(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 { throw .current }
    bytes.removeLast(bytes.count - count)
    return bytes
  }
}
