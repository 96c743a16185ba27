internal import AccessModel
internal import CLinux
internal import Glibc

/// Sends and receives on a connected socket that does not wait.
enum SocketBytes {
  /// Sends as much as can be sent now.
  ///
  /// - Throws: `EAGAIN` when nothing can.
  /// - Returns: How many bytes were sent.
  static func send(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) -> Int {
    let count = unsafe bytes.withUnsafeBytes { buffer in
      unsafe clinux_send(descriptor, buffer.baseAddress, buffer.count)
    }
    if count < 0 { throw Errno(negated: Int32(truncatingIfNeeded: count)) }
    return count
  }

  /// Takes what is there.
  ///
  /// Descriptors that come along are dropped by the kernel.
  ///
  /// - Throws: `EAGAIN` when nothing is there.
  /// - Returns: The bytes; none at the end.
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
