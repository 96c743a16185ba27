extension Feature {
  /// Plugs in a feature once, as a part that is always there.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  @inlinable public func part<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    let outcome = feature.outcome
    return adding(feature, .once(place, change)) { design, whole in
      guard let change = change.extract(whole) else { return .other }
      return outcome(&design[keyPath: place], change)
    }
  }

  /// Plugs in a feature for each element of a collection.
  ///
  /// An element is found fastest where the one before or beside it was found; ids that occur twice
  /// are those of the first. A large collection whose elements change in no order is better a
  /// dictionary.
  ///
  /// - Parameters:
  ///   - place: The collection.
  ///   - change: How an element's id and a change of it lie in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the parts.
  @inlinable public func each<Part: Blueprint, C: MutableCollection & Sendable>(
    _ place: any WritableKeyPath<B.Design, C> & Sendable,
    _ change: CasePath<B.Change, (Part.Design.ID, Part.Change)>, _ feature: Feature<Part>
  ) -> Feature
  where C.Element == Part.Design, Part.Design: Identifiable, Part.Design.ID: Sendable {
    let hint = PositionHint()
    let outcome = feature.outcome
    return adding(feature, .each(place, change)) { design, whole in
      guard let (id, change) = change.extract(whole) else { return .other }
      return hint.change(id, of: &design[keyPath: place]) {
        outcome(&$0, change)
      } ?? .absent
    }
  }

  /// Plugs in a feature for each value of a dictionary.
  ///
  /// - Parameters:
  ///   - place: The dictionary.
  ///   - change: How a value's key and a change of it lie in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the parts.
  @inlinable public func each<Part: Blueprint, Key: Hashable & Sendable>(
    _ place: any WritableKeyPath<B.Design, [Key: Part.Design]> & Sendable,
    _ change: CasePath<B.Change, (Key, Part.Change)>, _ feature: Feature<Part>
  ) -> Feature {
    let outcome = feature.outcome
    return adding(feature, .each(place, change)) { design, whole in
      guard let (key, change) = change.extract(whole) else { return .other }
      guard let index = design[keyPath: place].index(forKey: key) else { return .absent }
      return outcome(&design[keyPath: place].values[index], change)
    }
  }
}
