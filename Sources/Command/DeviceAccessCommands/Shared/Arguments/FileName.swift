internal import AccessModel
internal import Glibc

/// Operations on file names that the user typed.
enum FileName {
  /// Returns whether a file system object with the name exists; a dangling symbolic link counts.
  static func exists(_ name: String) -> Bool {
    guard !name.isEmpty, !name.utf8.contains(0) else { return false }
    var status = stat()
    return unsafe lstat(ByteText(name).cString, &status) == 0
  }

  /// Returns the absolute path, without `.` and empty components, for comparison with other paths.
  static func absolute(_ name: String) -> String {
    var path = name
    if name.utf8.first != UInt8(ascii: "/") {
      var buffer = [CChar](repeating: 0, count: 4096)
      guard unsafe getcwd(&buffer, buffer.count) != nil else { return name }
      let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
      path = ByteText(bytes: bytes).text + "/" + name
    }
    let parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    return "/" + parts.filter { $0 != "." }.joined(separator: "/")
  }
}
