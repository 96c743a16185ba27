/// The names in a directory that matter.
struct WatchedNames: Hashable, Sendable {
  private(set) var names: Set<String>
  /// The prefixes of further names that matter.
  private(set) var prefixes: Set<String> = []

  /// All names.
  static let all = Self(names: [], prefixes: [""])

  /// Returns only the given names.
  static func some(_ names: Set<String>) -> Self { Self(names: names) }

  /// Returns all names with one of the given prefixes.
  static func beginning(with prefixes: Set<String>) -> Self { Self(names: [], prefixes: prefixes) }

  var isAll: Bool { prefixes.contains("") }

  mutating func insert(_ name: String) {
    if !isAll { names.insert(name) }
  }

  mutating func insert(beginningWith prefixes: Set<String>) {
    self = union(.beginning(with: prefixes))
  }

  func contains(_ name: String) -> Bool {
    isAll || names.contains(name) || prefixes.contains { name.hasPrefix($0) }
  }

  mutating func formUnion(_ other: Self) {
    guard !isAll, !other.isAll else {
      self = .all
      return
    }
    names.formUnion(other.names)
    prefixes.formUnion(other.prefixes)
  }

  func union(_ other: Self) -> Self {
    var result = self
    result.formUnion(other)
    return result
  }
}
