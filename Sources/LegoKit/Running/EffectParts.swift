/// The parts that may go, and in which effects are under way.
struct EffectParts<Design: Sendable>: Sendable {
  /// Every how many changes at most it is looked for parts whose effects are over: to look their
  /// names up takes longer than all the rest of a change.
  private static var patience: Int { 16 }

  private struct Part: Sendable {
    /// The change from which on it has been there without a break.
    let since: UInt64
    let rosters: [PartRoster<Design>]
  }

  private var parts: [EffectID: Part] = [:]
  private var tree = PartTree<Design>()
  /// How many changes were seen since parts whose effects are over were looked for.
  private var changes = 0

  var isEmpty: Bool { parts.isEmpty }

  /// Whether a part has been there since a change, as far as that is known.
  func contains(_ id: EffectID, since number: UInt64) -> Bool {
    parts[id].map { $0.since <= number } ?? false
  }

  /// Looks from now on after each change whether a part is still there.
  ///
  /// - Parameters:
  ///   - id: The name of the effects of the part.
  ///   - number: The change from which on it has been there without a break.
  ///   - design: The design as it is now.
  ///   - rosters: The rosters that lead to it.
  ///   - isThere: Whether a design has it.
  mutating func watch(
    _ id: EffectID, since number: UInt64, in design: Design, _ rosters: [PartRoster<Design>],
    _ isThere: @escaping @Sendable (Design) -> Bool
  ) {
    guard parts[id] == nil else { return }
    parts[id] = Part(since: number, rosters: rosters)
    tree.insert(id, rosters[...], in: design, isThere)
  }

  /// Takes out the parts that a design does not have, and now and then those whose effects are over.
  ///
  /// - Returns: The names of the effects that have to end.
  mutating func takeMissing(
    in design: Design, where hasEffects: (EffectID) -> Bool
  ) -> [EffectID] {
    var missing: [EffectID] = []
    tree.collect(in: design, into: &missing)
    for id in missing { remove(id) }
    changes += 1
    if changes >= max(parts.count, Self.patience) {
      changes = 0
      for id in parts.keys.filter({ !hasEffects($0) }) { remove(id) }
    }
    return missing
  }

  private mutating func remove(_ id: EffectID) {
    if let part = parts.removeValue(forKey: id) { tree.remove(id, part.rosters[...]) }
  }
}
