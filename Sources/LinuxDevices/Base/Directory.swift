internal import AccessModel
internal import Glibc

/// Reads directories.
enum Directory {
  /// The names in a directory but `.` and `..`, in no order; `nil` when there is none.
  ///
  /// - Throws: Every error but a missing directory.
  static func names(in path: String) throws(Errno) -> [String]? {
    try entries(in: path)?.map { $0.name }
  }

  /// The names in a directory, as ``names(in:)`` tells them, and which of them are surely regular
  /// files.
  static func entries(
    in path: String
  ) throws(Errno) -> [(name: String, isRegular: Bool)]? {
    try all(in: path)?.map { ($0.name, $0.type == Int32(DT_REG)) }
  }

  /// The names in a directory with the numbers of their inodes, and which of them can be directories.
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
    // The end and a failure look the same but for this.
    guard Glibc.errno == 0 else { throw .current }
    return entries
  }
}
