internal import AccessModel
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
