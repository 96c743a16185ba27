extension PartLookup {
  /// Finds the screen with an id.
  @inlinable static func screen<Holder: ScreenHolder>(
    of place: any KeyPath<Whole, Holder> & Sendable, _ id: Part.ID
  ) -> PartLookup where Holder.Screen == Part, Part: Identifiable, Part.ID: Sendable {
    PartLookup(
      read: { $0[keyPath: place].stack[id: id] },
      isThere: { $0[keyPath: place].stack.contains(id: id) })
  }
}
