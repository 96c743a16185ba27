internal import AccessModel

/// A path in a setting, without its prefix characters.
///
/// The prefix `-` means that a missing path is ignored, and `+` that the path is relative to the
/// service's root directory (systemd.exec(5), `ReadWritePaths=`).
struct UnitPath: Hashable, Sendable {
  /// The absolute path, without prefix characters, repeated slashes or a trailing slash.
  var path: String

  init(_ text: String) {
    let bare = text.unicodeScalars.drop { $0 == "-" || $0 == "+" }
    path = "/" + Substring(bare).parts(at: "/").filter { $0 != "." }.joined(separator: "/")
  }

  static func == (one: Self, other: Self) -> Bool { one.path.isSame(as: other.path) }

  /// Returns whether another path is this one or below it.
  func covers(_ other: String) -> Bool {
    path == "/" || other.isAtOrBelow(path)
  }
}
