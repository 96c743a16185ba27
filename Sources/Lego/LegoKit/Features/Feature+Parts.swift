extension Feature {
  /// Plugs in a feature for a part that always exists.
  public func part<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    adding(feature, .once(place, change)) { design, whole, apply in
      guard let change = change.extract(whole) else { return .other }
      return apply(&design[keyPath: place], change)
    }
  }

  /// Plugs in a feature for each element of a collection.
  ///
  /// The IDs must be unique. If several elements have the same ID, a change applies to only one of
  /// them.
  ///
  /// The search for an element starts near the last element found, and is linear in the worst case.
  /// For a large collection whose elements change in random order, prefer a dictionary.
  public func each<Part: Blueprint, C: MutableCollection & Sendable>(
    _ place: any WritableKeyPath<B.Design, C> & Sendable,
    _ change: CasePath<B.Change, (Part.Design.ID, Part.Change)>, _ feature: Feature<Part>
  ) -> Feature
  where C.Element == Part.Design, Part.Design: Identifiable, Part.Design.ID: Sendable {
    let hint = PositionHint()
    return adding(feature, .each(place, change)) { design, whole, apply in
      guard let (id, change) = change.extract(whole) else { return .other }
      return hint.change(id, of: &design[keyPath: place]) { apply(&$0, change) } ?? .missing
    }
  }

  /// Plugs in a feature for each value of a dictionary.
  public func each<Part: Blueprint, Key: Hashable & Sendable>(
    _ place: any WritableKeyPath<B.Design, [Key: Part.Design]> & Sendable,
    _ change: CasePath<B.Change, (Key, Part.Change)>, _ feature: Feature<Part>
  ) -> Feature {
    adding(feature, .each(place, change)) { design, whole, apply in
      guard let (key, change) = change.extract(whole) else { return .other }
      guard let index = design[keyPath: place].index(forKey: key) else { return .missing }
      return apply(&design[keyPath: place].values[index], change)
    }
  }

  // MARK: - Optional parts

  /// Plugs in a feature for the value of an optional.
  ///
  /// The effects of the part end when the optional becomes `nil`. If another value replaces the
  /// current one, they continue.
  public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, .some, change, feature, whileChanging: .some(nil)) { _ in NoKey() }
  }

  /// Plugs in a feature for an optional whose value has an ID.
  ///
  /// The effects of the part end when the optional becomes `nil`, or when a value with a different
  /// ID replaces the current one.
  public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    optional(place, .some, change, feature, whileChanging: .some(nil), key: \.id)
  }

  /// Plugs in a feature for the payload of an enum case.
  ///
  /// The effects of the part end when the enum changes to another case. If another payload of the
  /// same case replaces the current one, they continue.
  ///
  /// - Parameters:
  ///   - place: The key path of the enum, or `\.self` if the design itself is the enum.
  ///   - shown: The path from the enum to the payload.
  ///   - change: The path to the part's change in a change to this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part added.
  public func optional<Part: Blueprint, Enum: Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    case shown: CasePath<Enum, Part.Design>,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, shown, change, feature, kind: PartKind()) { _ in NoKey() }
  }

  /// Plugs in a feature for an enum case whose payload has an ID.
  ///
  /// The effects of the part end when the enum changes to another case, or when a payload with a
  /// different ID replaces the current one.
  ///
  /// - Parameters:
  ///   - place: The key path of the enum, or `\.self` if the design itself is the enum.
  ///   - shown: The path from the enum to the payload.
  ///   - change: The path to the part's change in a change to this feature.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part added.
  public func optional<Part: Blueprint, Enum: Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    case shown: CasePath<Enum, Part.Design>,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    optional(place, shown, change, feature, kind: PartKind(), key: \.id)
  }

  private func optional<Part: Blueprint, Enum: Sendable, Key: Hashable & Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    _ shown: CasePath<Enum, Part.Design>, _ change: CasePath<B.Change, Part.Change>,
    _ feature: Feature<Part>, whileChanging substitute: Enum? = nil, kind: PartKind? = nil,
    key: @escaping @Sendable (Part.Design) -> Key
  ) -> Feature {
    let attachment = PartAttachment<B, Part, Key>.optional(
      place, change, kind: kind, shown: { shown.extract($0[keyPath: place]) }, key: key)
    return adding(feature, attachment) { design, whole, apply in
      guard let change = change.extract(whole) else { return .other }
      guard var part = shown.extract(design[keyPath: place]) else { return .missing }
      // Remove the part from the design while changing it, to avoid a copy.
      if let substitute { design[keyPath: place] = substitute }
      defer { design[keyPath: place] = shown.embed(part) }
      return apply(&part, change)
    }
  }
}

extension CasePath {
  /// The path from an optional to its value.
  fileprivate static var some: CasePath<Part?, Part> {
    CasePath<Part?, Part>(embed: { $0 }, extract: { $0 })
  }
}
