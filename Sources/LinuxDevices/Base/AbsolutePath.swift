internal import AccessModel
internal import Glibc

/// Paths as callers give them.
enum AbsolutePath {
  /// `PATH_MAX`, with the final NUL.
  static let longest = 4096

  /// The absolute path of a path that may be relative to the working directory.
  ///
  /// Nothing is resolved or shortened: `..`, symbolic links and a trailing slash have a meaning.
  ///
  /// - Throws: `invalidPath` for what no system call takes, `unavailable` when there is no
  ///   working directory to start from.
  static func resolve(_ path: String) throws(DeviceError) -> String {
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
    // The kernel prints "(unreachable)…" for a directory outside of the process root.
    guard bytes.first == UInt8(ascii: "/") else {
      throw DeviceError(.unavailable, operation: "find the working directory for", path: path)
    }
    let directory = ByteText(bytes: bytes).text
    // The kernel counts what it is given, so a long directory does not make the path too long.
    return directory == "/" ? "/\(path)" : "\(directory)/\(path)"
  }

  /// The names in a path, `.` and `..` included and empty ones left out.
  static func components(of path: String) -> [String] {
    // In numbers, which are faster than the indices of text: each look at a file does this.
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

  /// The directory that a path is in; `/` is in itself.
  static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash != path.startIndex else {
      return "/"
    }
    return String(path[..<slash])
  }

  /// The last name of a path; empty for `/`.
  static func name(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
    return String(path[path.utf8.index(after: slash)...])
  }
}
