extension Effect {
  /// Makes the effect one of a part: it ends with the part, and its ids are the part's own.
  @inlinable func part(_ step: PartStep) -> Effect {
    isNone ? self : Effect(.part(step, self))
  }

  /// Cancels every effect of the parts at a place: of a part, or of all parts of a collection.
  ///
  /// - Parameter place: Where the parts stand in the design of the adaptor that answers this.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable
  ) -> Effect {
    Effect(.cancelPart(PartName(place: place, id: nil)))
  }

  /// Cancels every effect of one part of a collection.
  ///
  /// - Parameters:
  ///   - place: Where the collection stands in the design of the adaptor that answers this.
  ///   - id: The id of the part, or the key that it has in a dictionary.
  /// - Returns: The effect.
  public static func cancel<Design, Part>(
    part place: any KeyPath<Design, Part> & Sendable, id: some Hashable & Sendable
  ) -> Effect {
    Effect(.cancelPart(PartName(place: place, id: AnySendableHashable(id))))
  }
}
