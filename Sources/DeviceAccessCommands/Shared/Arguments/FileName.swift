internal import AccessModel
internal import Glibc

/// Names of files as they are typed.
enum FileName {
  /// Whether there is an object of that name; a symbolic link counts wherever it leads.
  static func exists(_ name: String) -> Bool {
    guard !name.isEmpty, !name.utf8.contains(0) else { return false }
    var status = stat()
    return unsafe lstat(ByteText(name).cString, &status) == 0
  }
}
