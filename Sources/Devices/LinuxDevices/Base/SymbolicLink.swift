internal import AccessModel
internal import Glibc

/// Reads symbolic links, and resolves their targets without accessing the filesystem.
enum SymbolicLink {
  /// Returns the target of a symbolic link; `nil` if the path does not exist or is not a link.
  static func read(_ path: String) throws(Errno) -> String? {
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = unsafe readlink(ByteText(path).cString, &buffer, 4096)
    if count < 0 {
      let failure = Errno.current
      // EINVAL means that the object is not a link.
      let isMissing = [.noSuchFile, .notDirectory, .invalidArgument].contains(failure)
      if isMissing { return nil }
      throw failure
    }
    guard count < 4096 else { throw .nameTooLong }
    return ByteText(bytes: buffer.prefix(count).map { UInt8(truncatingIfNeeded: $0) }).text
  }

  /// Returns the target of a symbolic link; `nil` if the path is not a link or cannot be read.
  static func target(of link: String) -> String? { try? read(link) }

  /// Returns the absolute path of a link's target, without accessing the filesystem.
  static func resolve(_ target: String, from link: String) -> String {
    var names: [String] = []
    let isAbsolute = target.utf8.first == UInt8(ascii: "/")
    let start = isAbsolute ? [] : AbsolutePath.components(of: link).dropLast()
    for name in start + AbsolutePath.components(of: target) {
      if name == ".." {
        names = names.dropLast()
      } else if name != "." {
        names.append(name)
      }
    }
    return "/" + names.joined(separator: "/")
  }

  /// Returns the path with all symbolic links resolved (realpath(3)); `nil` if that fails.
  static func canonical(_ path: String) -> String? {
    let pointer = unsafe realpath(ByteText(path).cString, nil)
    defer { unsafe free(pointer) }
    return unsafe String(path: pointer)
  }
}
