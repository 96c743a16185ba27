/// The names of a kept file and of those beside it.
struct FileName: Hashable, Sendable {
  /// The file that is kept.
  let file: String
  /// What the new content is written to before it takes the file's place.
  var part: String { ".\(file).part" }
  /// What writers lock.
  var lock: String { ".\(file).lock" }

  /// - Parameter name: The name without its ending; `nil` comes of one that cannot be used.
  init?(_ name: String) {
    guard Self.isPlain(name), name.utf8.count <= 100 else { return nil }
    file = "\(name).json"
  }

  /// The name of a file that was set aside.
  func aside(_ why: Aside, _ number: Int) -> String { "\(file).\(why.rawValue)-\(number)" }

  /// Whether a text is one name in a directory, and not hidden.
  static func isPlain(_ name: String) -> Bool {
    !name.isEmpty && !name.hasPrefix(".") && name.utf8.count <= 255
      && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
  }
}
