internal import AccessModel

/// A path in a setting, with its marks: `-` passes over a missing one, `+` starts at the root
/// directory of the service (systemd.exec(5), `ReadWritePaths=`).
struct UnitPath: Hashable, Sendable {
  /// Absolute, without marks, doubled slashes and one at the end.
  var path: String

  init(_ text: String) {
    let bare = text.unicodeScalars.drop { $0 == "-" || $0 == "+" }
    path = "/" + Substring(bare).parts(at: "/").filter { $0 != "." }.joined(separator: "/")
  }

  static func == (one: Self, other: Self) -> Bool { one.path.isSame(as: other.path) }

  /// Whether another path is this one or below it.
  func covers(_ other: String) -> Bool {
    path == "/" || other.isAtOrBelow(path)
  }
}
