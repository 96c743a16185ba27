/// The paths that may lead to other objects than before.
enum ChangedPaths: Equatable, Sendable {
  /// All paths, because the changed ones are unknown.
  case all
  /// The given paths, and everything below them.
  case some(Set<String>)

  /// No paths.
  static let none = Self.some([])

  /// Adds other paths.
  mutating func formUnion(_ other: Self) {
    guard case .some(let mine) = self, case .some(let others) = other else {
      self = .all
      return
    }
    if !others.isEmpty { self = .some(mine.isEmpty ? others : mine.union(others)) }
  }
}
