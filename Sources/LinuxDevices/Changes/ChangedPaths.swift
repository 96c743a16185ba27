/// Which paths may lead to something else than before.
enum ChangedPaths: Equatable, Sendable {
  /// Every one, as when nobody can tell.
  case all
  /// These, and what is below them.
  case some(Set<String>)

  /// None of them.
  static let none = Self.some([])

  /// Adds others.
  mutating func formUnion(_ other: Self) {
    guard case .some(let mine) = self, case .some(let others) = other else {
      self = .all
      return
    }
    if !others.isEmpty { self = .some(mine.isEmpty ? others : mine.union(others)) }
  }
}
