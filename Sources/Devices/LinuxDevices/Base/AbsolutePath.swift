internal import AccessModel
internal import Glibc

/// Functions for paths that callers pass in.
package enum AbsolutePath {
  /// `PATH_MAX`, with the final NUL.
  static let longest = 4096

  /// Returns the absolute form of a path that may be relative to the working directory.
  ///
  /// The path is not resolved or shortened, because `..`, symbolic links and a trailing slash
  /// affect which object it leads to.
  ///
  /// - Throws: `invalidPath` if no system call accepts the path, `unavailable` if the working
  ///   directory cannot be determined.
  package static func resolve(_ path: String) throws(DeviceError) -> String {
    guard !path.isEmpty, !path.utf8.contains(0), ByteText(path).byteCount < longest else {
      throw DeviceError(.invalidPath, operation: "observe", path: path)
    }
    if path.utf8.first == UInt8(ascii: "/") { return path }
    var buffer = [CChar](repeating: 0, count: longest)
    guard unsafe getcwd(&buffer, longest) != nil else {
      let failure = Errno.current
      throw DeviceError(
        .unavailable, operation: "find the working directory for", path: path, errno: failure)
    }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }
    // The kernel reports "(unreachable)…" for a directory outside of the process's root directory.
    guard bytes.first == UInt8(ascii: "/") else {
      throw DeviceError(.unavailable, operation: "find the working directory for", path: path)
    }
    let directory = ByteText(bytes: bytes).text
    // The kernel limits only the length of a path argument, so a long working directory is not an
    // error.
    return directory == "/" ? "/\(path)" : "\(directory)/\(path)"
  }

  /// Returns the components of a path, including `.` and `..` but no empty ones.
  static func components(of path: String) -> [String] {
    // Offsets in bytes are faster than string indices, and every file inspection calls this
    // function.
    let bytes = path.utf8Span.span
    let text = path.utf8
    var names: [String] = []
    var start = 0
    for end in 0...bytes.count where end == bytes.count || bytes[end] == UInt8(ascii: "/") {
      if start < end {
        let first = text.index(text.startIndex, offsetBy: start)
        names.append(String(path[first..<text.index(first, offsetBy: end - start)]))
      }
      start = end + 1
    }
    return names
  }

  /// Returns the path of the parent directory; the parent of `/` is `/`.
  package static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  /// Returns the last component of a path; empty for `/`.
  package static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}

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
