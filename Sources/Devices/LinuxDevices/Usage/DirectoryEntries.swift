internal import AccessModel
internal import CLinux

/// Iterates over the names in a buffer that getdents64(2) has filled.
///
/// The names are not copied, because a scan reads a hundred thousand of them.
struct DirectoryEntries {
  /// The offset of the end of the entries.
  let end: Int
  private var offset = 0

  init(end: Int) {
    self.end = end
  }

  /// Fills a buffer with the next entries of a directory.
  ///
  /// - Returns: The offset of their end, or `nil` if there are no more entries.
  static func fill(_ buffer: inout [UInt8], from directory: Int32) throws(Errno) -> Int? {
    let count = unsafe buffer.withUnsafeMutableBytes { bytes in
      unsafe clinux_entries(directory, bytes.baseAddress, bytes.count)
    }
    guard count >= 0 else { throw Errno(negated: Int32(truncatingIfNeeded: count)) }
    return count == 0 ? nil : count
  }

  /// Returns the offset of the next name, or `nil` at the end.
  ///
  /// Names that start with a dot are skipped.
  mutating func next(in buffer: [UInt8]) -> Int? {
    // A struct linux_dirent64 consists of the inode, offset, length, type and name.
    while offset + 19 < end {
      let length = Int(buffer[offset + 16]) | Int(buffer[offset + 17]) << 8
      let name = offset + 19
      guard length > 19 else { return nil }
      offset += length
      if buffer[name] != UInt8(ascii: ".") { return name }
    }
    return nil
  }

  /// Parses the name at an offset as a number, such as a process ID; returns `nil` for any other
  /// name.
  static func number(at place: Int, in buffer: [UInt8]) -> UInt32? {
    ByteScanner.number(buffer[place...].prefix(11).prefix { $0 != 0 })
  }
}
