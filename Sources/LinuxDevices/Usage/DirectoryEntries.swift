internal import AccessModel
internal import CLinux

/// The names in a buffer that getdents64(2) filled.
///
/// They are read from the buffer one by one: a scan meets a hundred thousand of them.
struct DirectoryEntries {
  /// Where the entries end.
  let end: Int
  private var offset = 0

  init(end: Int) {
    self.end = end
  }

  /// Fills a buffer with the next entries of a directory.
  ///
  /// - Returns: Where they end; `nil` when there are no more.
  static func fill(_ buffer: inout [UInt8], from directory: Int32) throws(Errno) -> Int? {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe clinux_entries(directory, bytes.baseAddress, bytes.count)
    }
    guard count >= 0 else { throw Errno(negated: Int32(truncatingIfNeeded: count)) }
    return count == 0 ? nil : count
  }

  /// Where the next name begins, `.` and `..` left out; `nil` at the end.
  mutating func next(in buffer: [UInt8]) -> Int? {
    // struct linux_dirent64: inode, offset, length, type, name.
    while offset + 19 < end {
      let length = Int(buffer[offset + 16]) | Int(buffer[offset + 17]) << 8
      let name = offset + 19
      guard length > 19 else { return nil }
      offset += length
      if buffer[name] != UInt8(ascii: ".") { return name }
    }
    return nil
  }

  /// The name at a place as a number, such as a process ID; `nil` for any other name.
  static func number(at place: Int, in buffer: [UInt8]) -> UInt32? {
    ByteScanner.number(buffer[place...].prefix(11).prefix { $0 != 0 })
  }
}
