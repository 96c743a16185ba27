/// What looks at each part of a kind for the effects that follow from it, and the parts that were
/// looked at last.
struct PartLooks<Key: Hashable & Sendable, Part: Blueprint>: Sendable {
  /// A part, and what looks at it.
  typealias Due = (key: Key, part: Part.Design, look: Follow<Part>.Look)

  private var parts: [(Key, Part.Design)] = []
  private var looks: [Key: Follow<Part>.Look] = [:]

  /// Takes the parts of a new design.
  ///
  /// - Parameters:
  ///   - new: The parts.
  ///   - begin: Makes what looks at a part that has come.
  /// - Returns: The parts to look at: while none comes, goes or moves, those that have changed.
  mutating func take(
    _ new: [(Key, Part.Design)], _ begin: () -> Follow<Part>.Look
  ) -> [Due] {
    let old = parts
    parts = new
    // Most changes are of one part, and to compare parts costs less than to look their keys up.
    // Plain loops, because sequences of pairs ask the run time for their types at each step.
    if Self.isSame(old, new) {
      var due: [Due] = []
      for index in new.indices where old[index].1 != new[index].1 {
        if let look = looks[new[index].0] { due.append((new[index].0, new[index].1, look)) }
      }
      return due
    }
    let earlier = looks
    looks = [:]
    for (key, _) in new { looks[key] = earlier[key] ?? looks[key] ?? begin() }
    return new.compactMap { key, part in looks[key].map { (key, part, $0) } }
  }

  /// Whether the same parts stand in the same order.
  private static func isSame(_ old: [(Key, Part.Design)], _ new: [(Key, Part.Design)]) -> Bool {
    if old.count != new.count { return false }
    for index in new.indices where old[index].0 != new[index].0 { return false }
    return true
  }
}
