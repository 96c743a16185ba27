package import AccessModel
internal import Glibc

/// Finds the user's pictures directory in the same way as xdg-user-dir(1).
package struct AlbumObserver {
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

  /// Returns the path of the file that configures the location of the album in some facts.
  ///
  /// - Parameters:
  ///   - facts: The facts.
  ///   - environment: Returns the value of a variable in the environment of this process.
  /// - Returns: The path, whether or not the file exists; `nil` if the facts are not about the
  ///   album, or if the home directory is unknown.
  package static func file(
    of facts: AccessFacts, environment: @escaping @Sendable (String) -> String?
  ) -> String? {
    guard facts.album != nil else { return nil }
    let isOwn = facts.origin.map { $0.kind == .ownProcess } ?? true
    let observer = isOwn ? AlbumObserver(environment: environment) : AlbumObserver { _ in nil }
    return observer.file(home: facts.account.home)
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

/// The parsed file `user-dirs.dirs`, which lists a user's well-known directories.
///
/// It resembles a shell script but is not one. A line is `XDG_NAME_DIR="$HOME/relative"` or has an
/// absolute path, with backslash escapes. Only a leading `$HOME` is expanded. See
/// user-dirs.dirs(5).
struct UserDirectories: Hashable, Sendable {
  /// The value of the last well-formed `XDG_PICTURES_DIR` line, with `$HOME` expanded.
  private(set) var pictures: String?
  /// The problem with the last `XDG_PICTURES_DIR` line, as one clause; `nil` if there is none.
  private(set) var problem: String?

  static let limit = 1 << 16

  init(parsing bytes: [UInt8], home: String?) {
    for line in bytes.split(separator: ByteScanner.newline) {
      var rest = line.drop { $0 == ByteScanner.space || $0 == UInt8(ascii: "\t") }
      guard rest.starts(with: Array("XDG_PICTURES_DIR".utf8)) else { continue }
      rest = Self.blanks(rest.dropFirst("XDG_PICTURES_DIR".utf8.count))
      guard rest.first == UInt8(ascii: "=") else { continue }
      rest = Self.blanks(rest.dropFirst())
      switch Self.value(rest, home: home) {
      case .success(let path):
        pictures = path
        problem = nil
      case .failure(let error):
        problem = error.clause
      }
    }
  }

  private struct Malformed: Error {
    var clause: String
  }

  private static func blanks(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.drop { $0 == ByteScanner.space || $0 == UInt8(ascii: "\t") }
  }

  private static func value(
    _ bytes: ArraySlice<UInt8>, home: String?
  ) -> Result<String, Malformed> {
    guard bytes.first == UInt8(ascii: "\"") else {
      return .failure(Malformed(clause: "the value is not in double quotes"))
    }
    var rest = bytes.dropFirst()
    var path: [UInt8] = []
    let variable = Array("$HOME".utf8)
    if rest.starts(with: variable) {
      guard let home else {
        return .failure(Malformed(clause: "it starts with $HOME, and there is no home directory"))
      }
      rest = rest.dropFirst(variable.count)
      guard rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: "\"") else {
        return .failure(Malformed(clause: "something other than / follows $HOME"))
      }
      path = ByteText(home).bytes
    } else if rest.first != UInt8(ascii: "/") {
      return .failure(Malformed(clause: "the value is neither absolute nor below $HOME"))
    }
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
        path.append(escaped)
      } else {
        path.append(byte)
      }
      if rest.isEmpty { return .failure(Malformed(clause: "the closing quote is missing")) }
    }
    guard !path.contains(0), path.count < 4096 else {
      return .failure(Malformed(clause: "the value cannot be a path"))
    }
    return .success(AlbumObserver.withoutTrailingSlashes(ByteText(bytes: path).text))
  }
}
