/// The names of the parts that are watched, by the rosters that lead to them.
///
/// Each has beside it how to tell whether it is there, so that those that are need not be looked up.
struct PartTree<Design: Sendable>: Sendable {
  typealias Rosters = ArraySlice<PartRoster<Design>>
  typealias Test = @Sendable (Design) -> Bool

  private struct Group: Sendable {
    let touched: @Sendable (Design, inout PartRoster<Design>.Memory) -> [AnySendableHashable]?
    var memory: PartRoster<Design>.Memory = nil
    var trees: [AnySendableHashable: PartTree] = [:]

    mutating func collect(in design: Design, into list: inout [EffectID]) {
      if let ids = touched(design, &memory) {
        for id in ids {
          if let index = trees.index(forKey: id) {
            trees.values[index].collect(in: design, into: &list)
          }
        }
      } else {
        for index in trees.values.indices { trees.values[index].collect(in: design, into: &list) }
      }
    }
  }

  /// The parts that no further roster leads to.
  private var names: [EffectID: Test] = [:]
  private var groups: [[PartStep]: Group] = [:]

  private var isEmpty: Bool { names.isEmpty && groups.isEmpty }

  /// Adds a part that a design has.
  mutating func insert(
    _ name: EffectID, _ rosters: Rosters, in design: Design, _ isThere: @escaping Test
  ) {
    guard let roster = rosters.first else {
      names[name] = isThere
      return
    }
    if groups[roster.place] == nil {
      var group = Group(touched: roster.touched)
      _ = group.touched(design, &group.memory)
      groups[roster.place] = group
    }
    groups[roster.place]?.trees[roster.id, default: PartTree()]
      .insert(name, rosters.dropFirst(), in: design, isThere)
  }

  /// Removes a part.
  mutating func remove(_ name: EffectID, _ rosters: Rosters) {
    guard let roster = rosters.first else {
      names[name] = nil
      return
    }
    groups[roster.place]?.trees[roster.id]?.remove(name, rosters.dropFirst())
    if groups[roster.place]?.trees[roster.id]?.isEmpty == true {
      groups[roster.place]?.trees[roster.id] = nil
    }
    if groups[roster.place]?.trees.isEmpty == true { groups[roster.place] = nil }
  }

  /// Adds to a list the parts that a new design does not have any more.
  mutating func collect(in design: Design, into list: inout [EffectID]) {
    for (name, isThere) in names where !isThere(design) { list.append(name) }
    for group in groups.values.indices {
      groups.values[group].collect(in: design, into: &list)
    }
  }
}
