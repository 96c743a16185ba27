internal import AccessModel
internal import Glibc

/// Reads directories.
enum Directory {
  /// The names in a directory but `.` and `..`, in no order; `nil` when there is none.
  ///
  /// - Throws: Every error but a missing directory.
  static func names(in path: String) throws(Errno) -> [String]? {
    guard let directory = unsafe opendir(ByteText(path).cString) else {
      if Errno.current == .noSuchFile { return nil }
      throw .current
    }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    Glibc.errno = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe ByteText(bytes: Array(bytes.prefix { $0 != 0 })).text
      }
      if name != ".", name != ".." { names.append(name) }
      Glibc.errno = 0
    }
    // The end and a failure look the same but for this.
    guard Glibc.errno == 0 else { throw .current }
    return names
  }
}
