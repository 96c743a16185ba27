internal import AccessModel

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
