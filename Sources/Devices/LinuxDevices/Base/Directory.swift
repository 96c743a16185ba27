internal import AccessModel
internal import CLinux
internal import Glibc

/// Reads directories.
enum Directory {
  /// Returns the names in a directory, without `.` and `..` and in no particular order.
  ///
  /// - Throws: The error from reading the directory, unless it is missing.
  /// - Returns: The names; `nil` if the directory does not exist.
  static func names(in path: String) throws(Errno) -> [String]? {
    try entries(in: path)?.map { $0.name }
  }

  /// Returns the names in a directory, and whether each is known to be a regular file.
  ///
  /// The names, and the errors, are the same as for ``names(in:)``.
  static func entries(
    in path: String
  ) throws(Errno) -> [(name: String, isRegular: Bool)]? {
    try all(in: path)?.map { ($0.name, $0.type == Int32(DT_REG)) }
  }

  /// Returns the names and inode numbers in a directory, and whether each may be a directory.
  ///
  /// The result is empty if the directory does not exist.
  static func numbers(
    in path: String
  ) throws(Errno) -> [(name: String, number: UInt64, isDirectory: Bool)] {
    (try all(in: path) ?? []).map { entry in
      (entry.name, entry.number, [Int32(DT_DIR), Int32(DT_UNKNOWN)].contains(entry.type))
    }
  }

  private static func all(
    in path: String
  ) throws(Errno) -> [(name: String, number: UInt64, type: Int32)]? {
    guard let directory = unsafe opendir(ByteText(path).cString) else {
      if Errno.current == .noSuchFile { return nil }
      throw .current
    }
    defer { unsafe closedir(directory) }
    var entries: [(name: String, number: UInt64, type: Int32)] = []
    Glibc.errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe ByteText(bytes: Array(bytes.prefix { $0 != 0 })).text
      }
      if name != ".", name != ".." {
        let (number, type) = unsafe (entry.pointee.d_ino, entry.pointee.d_type)
        entries.append((name, UInt64(number), Int32(type)))
      }
      Glibc.errno = 0
    }
    // readdir(3) returns NULL both at the end and on failure; errno distinguishes them.
    guard Glibc.errno == 0 else { throw .current }
    return entries
  }
}

/// A directory that is held open.
///
/// A directory in `/proc/PID` always refers to the same process. After the process has ended, every
/// access through the directory fails, even if the process ID has been reused.
struct OpenDirectory: ~Copyable {
  let descriptor: Int32

  /// Opens a directory relative to another directory, which defaults to the working directory.
  init(_ name: String, in directory: Int32 = AT_FDCWD) throws(Errno) {
    let opened = unsafe openat(
      directory, ByteText(name).cString, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw .current }
    descriptor = opened
  }

  deinit { close(descriptor) }
}

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
