extension EffectRegistry {
  /// Whether effects with an id are under way.
  func contains(_ id: EffectID) -> Bool { groups[id] != nil }

  /// Ends all effects of the parts that a name stands for.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - way: The way to the part that the name is used in.
  /// - Returns: What was ended.
  mutating func cancel(_ name: PartName, within way: PartWay?) -> Ended {
    let outer = way?.steps ?? []
    let ids = groups.keys.filter { id in
      guard id.use == .part, let steps = id.way?.steps, let last = steps.last else { return false }
      return name.matches(last) && steps.dropLast().elementsEqual(outer)
    }
    return ids.reduce(into: Ended()) { $0 += cancel($1) }
  }
}
