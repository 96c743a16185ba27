extension Feature {
  /// Plugs in a feature as a part that may be there.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  @inlinable public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, .some, change, feature, whileChanging: .some(nil)) { _ in Single() }
  }

  /// Plugs in a feature as a part that may be there; one with another id is another part.
  ///
  /// - Parameters:
  ///   - place: The part of the design.
  ///   - change: How a change of the part lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  @inlinable public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    optional(place, .some, change, feature, whileChanging: .some(nil), key: \.id)
  }

  /// Plugs in a feature as the payload of one case of an enum.
  ///
  /// - Parameters:
  ///   - place: The enum, a part of the design; `\.self` where it is the design itself.
  ///   - shown: The case.
  ///   - change: How a change of the part lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  @inlinable public func optional<Part: Blueprint, Enum: Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    case shown: CasePath<Enum, Part.Design>,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, shown, change, feature, kind: PartKind()) { _ in Single() }
  }

  /// Plugs in a feature as the payload of one case of an enum; one with another id is another
  /// part.
  ///
  /// - Parameters:
  ///   - place: The enum, a part of the design; `\.self` where it is the design itself.
  ///   - shown: The case.
  ///   - change: How a change of the part lies in a change of this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  @inlinable public func optional<Part: Blueprint, Enum: Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    case shown: CasePath<Enum, Part.Design>,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    optional(place, shown, change, feature, kind: PartKind(), key: \.id)
  }

  @inlinable func optional<Part: Blueprint, Enum: Sendable, Key: Hashable & Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    _ shown: CasePath<Enum, Part.Design>, _ change: CasePath<B.Change, Part.Change>,
    _ feature: Feature<Part>, whileChanging substitute: Enum? = nil, kind: PartKind? = nil,
    key: @escaping @Sendable (Part.Design) -> Key
  ) -> Feature {
    let joint = Joint<B, Part, Key>.optional(
      place, change, kind: kind, shown: { shown.extract($0[keyPath: place]) }, key: key)
    let outcome = feature.outcome
    return adding(feature, joint) { design, whole in
      guard let change = change.extract(whole) else { return .other }
      guard var part = shown.extract(design[keyPath: place]) else { return .absent }
      // A part that nothing else holds is changed without a copy of what it has.
      if let substitute { design[keyPath: place] = substitute }
      defer { design[keyPath: place] = shown.embed(part) }
      return outcome(&part, change)
    }
  }
}

extension CasePath {
  /// The path into what is there of an optional.
  @inlinable static var some: CasePath<Part?, Part> {
    CasePath<Part?, Part>(embed: { $0 }, extract: { $0 })
  }
}
