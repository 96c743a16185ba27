/// The parts that may go, and in which effects are under way.
struct EffectParts<Design: Sendable>: Sendable {
  private struct Part: Sendable {
    /// The change from which on it has been there without a break.
    let since: UInt64
    let isThere: @Sendable (Design) -> Bool
  }

  private var parts: [EffectID: Part] = [:]

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
  ///   - isThere: Whether a design has it.
  mutating func watch(
    _ id: EffectID, since number: UInt64, _ isThere: @escaping @Sendable (Design) -> Bool
  ) {
    if parts[id] == nil { parts[id] = Part(since: number, isThere: isThere) }
  }

  /// Takes out the parts that a design does not have, and those whose effects are over.
  ///
  /// - Returns: The names of the effects that have to end.
  mutating func takeMissing(
    in design: Design, where hasEffects: (EffectID) -> Bool
  ) -> [EffectID] {
    var missing: [EffectID] = []
    for (id, part) in parts {
      if !hasEffects(id) {
        parts[id] = nil
      } else if !part.isThere(design) {
        parts[id] = nil
        missing.append(id)
      }
    }
    return missing
  }
}
