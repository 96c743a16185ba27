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
    guard let directory = unsafe opendir(ByteText(path).cString) else {
      if Errno.current == .noSuchFile { return nil }
      throw .current
    }
    defer { unsafe closedir(directory) }
    var entries: [(name: String, isRegular: Bool)] = []
    Glibc.errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe ByteText(bytes: Array(bytes.prefix { $0 != 0 })).text
      }
      if name != ".", name != ".." {
        entries.append((name, unsafe Int32(entry.pointee.d_type) == Int32(DT_REG)))
      }
      Glibc.errno = 0
    }
    // The end and a failure look the same but for this.
    guard Glibc.errno == 0 else { throw .current }
    return entries
  }
}
