/// Finds one part in a design.
@usableFromInline struct PartLookup<Whole: Sendable, Part: Sendable>: Sendable {
  /// The part, or `nil` when the design does not have it.
  @usableFromInline let read: @Sendable (Whole) -> Part?
  /// Whether a design has it.
  @usableFromInline let isThere: @Sendable (Whole) -> Bool

  @inlinable init(
    read: @escaping @Sendable (Whole) -> Part?, isThere: (@Sendable (Whole) -> Bool)? = nil
  ) {
    self.read = read
    self.isThere = isThere ?? { read($0) != nil }
  }
}

extension PartLookup {
  /// Finds the element of a collection that has an id.
  @inlinable static func element<C: Collection & Sendable>(
    of place: any KeyPath<Whole, C> & Sendable, _ id: Part.ID
  ) -> PartLookup where C.Element == Part, Part: Identifiable, Part.ID: Sendable {
    let hint = PositionHint()
    return PartLookup(
      read: { hint.element(id, of: $0[keyPath: place]) },
      isThere: { hint.hasElement(id, in: $0[keyPath: place]) })
  }

  /// Finds the value of a dictionary that has a key.
  @inlinable static func value<Key: Hashable & Sendable>(
    of place: any KeyPath<Whole, [Key: Part]> & Sendable, _ key: Key
  ) -> PartLookup {
    PartLookup(
      read: { $0[keyPath: place][key] }, isThere: { $0[keyPath: place].index(forKey: key) != nil })
  }
}
