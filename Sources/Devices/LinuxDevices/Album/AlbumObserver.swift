internal import AccessModel
internal import Glibc

/// Finds the user's pictures directory in the same way as xdg-user-dir(1).
struct AlbumObserver {
  var environment: @Sendable (String) -> String?
  /// A prefix for paths in the user's root directory, without a trailing slash.
  var root = ""
  /// A Boolean value that indicates whether the filesystem of `user-dirs.dirs` does not respond.
  var isSilent = false
  /// The user, if not the caller; links that lead out of that user's home directory are not
  /// followed.
  var otherUser: UInt32?

  /// Determines the directory from the environment or `user-dirs.dirs`, and defaults to `Pictures`.
  ///
  /// - Parameter home: Returns the home directory from the account database. It is called only if
  ///   `HOME` is not an absolute path.
  /// - Returns: The directory, its source, and any problem with the configuration.
  func observe(home: @autoclosure () -> String?) -> AlbumFacts {
    var problem: String?
    if let path = environment("XDG_PICTURES_DIR"), !path.isEmpty {
      if isUsable(path) {
        return AlbumFacts(path: Self.withoutTrailingSlashes(path), source: .environment)
      }
      problem = "XDG_PICTURES_DIR in the environment is not an absolute path"
    }
    let home = ownHome ?? home()
    if let file = file(home: home) {
      do throws(Errno) {
        guard !isSilent else { throw .timedOut }
        let contents = try read(file, home: home)
        let directories = UserDirectories(parsing: contents.bytes, home: home)
        problem = directories.problem.map { "\(file): \($0)" } ?? problem
        if contents.isTruncated { problem = "\(file): longer than 64 KiB" }
        if let path = directories.pictures {
          if path == home.map(Self.withoutTrailingSlashes) {
            problem = "\(file): it is the home directory itself, which disables it"
          }
          return AlbumFacts(path: path, source: .userDirectories, problem: problem)
        }
      } catch {
        if error != .noSuchFile {
          problem = "\(file): \(Self.reason(error))"
        }
      }
    }
    guard let home else {
      return AlbumFacts(path: nil, source: .default, problem: problem ?? "no home directory")
    }
    return AlbumFacts(
      path: "\(Self.withoutTrailingSlashes(home) == "/" ? "" : home)/Pictures", source: .default,
      problem: problem)
  }

  private func read(_ file: String, home: String?) throws(Errno) -> BoundedFile.Contents {
    guard let otherUser else {
      return try BoundedFile.readHeld(root + file, limit: UserDirectories.limit)
    }
    return try ForeignFile(user: otherUser, limit: UserDirectories.limit)
      .read(file, inHome: home, below: root)
  }

  private static func reason(_ error: Errno) -> String {
    switch error {
    case .timedOut: Errno.silenceReason
    case Errno(rawValue: EXDEV):
      "a link out of the home directory is not followed for another user"
    case .badDescriptor: "it is not a regular file"
    default: error.reason
    }
  }

  /// Returns the path of `user-dirs.dirs` for a home directory, whether or not the file exists.
  func file(home: String?) -> String? {
    (absolute("XDG_CONFIG_HOME") ?? (ownHome ?? home).map { "\($0)/.config" })
      .map { "\($0)/user-dirs.dirs" }
  }

  /// The value of `HOME`; `nil` unless it is an absolute path.
  var ownHome: String? { absolute("HOME") }

  private func absolute(_ name: String) -> String? {
    environment(name).flatMap { isUsable($0) ? $0 : nil }
  }

  private func isUsable(_ path: String) -> Bool {
    path.utf8.first == UInt8(ascii: "/") && ByteText(path).byteCount < 4096
  }

  static func withoutTrailingSlashes(_ path: String) -> String {
    var path = path[...]
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    return String(path)
  }
}
