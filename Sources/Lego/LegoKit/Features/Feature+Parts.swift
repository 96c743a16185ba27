extension Feature {
  /// Plugs in a feature as a part that always exists.
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
  /// An element is found fastest at or next to the position of the previous change. If an ID occurs
  /// twice, the first element is used. For a large collection whose elements change in random
  /// order, prefer a dictionary.
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

  /// Plugs in a feature as an optional part.
  public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, .some, change, feature, whileChanging: .some(nil)) { _ in NoKey() }
  }

  /// Plugs in a feature as an optional part.
  ///
  /// A value with another ID is another part.
  public func optional<Part: Blueprint>(
    _ place: any WritableKeyPath<B.Design, Part.Design?> & Sendable,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature where Part.Design: Identifiable, Part.Design.ID: Sendable {
    optional(place, .some, change, feature, whileChanging: .some(nil), key: \.id)
  }

  /// Plugs in a feature as the payload of an enum case.
  ///
  /// - Parameters:
  ///   - place: The enum, a part of the design, or `\.self` if it is the design itself.
  ///   - shown: The case.
  ///   - change: The relation between changes of this feature and of the part.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
  public func optional<Part: Blueprint, Enum: Sendable>(
    _ place: any WritableKeyPath<B.Design, Enum> & Sendable,
    case shown: CasePath<Enum, Part.Design>,
    _ change: CasePath<B.Change, Part.Change>, _ feature: Feature<Part>
  ) -> Feature {
    optional(place, shown, change, feature, kind: PartKind()) { _ in NoKey() }
  }

  /// Plugs in a feature as the payload of an enum case.
  ///
  /// A payload with another ID is another part.
  ///
  /// - Parameters:
  ///   - place: The enum, a part of the design, or `\.self` if it is the design itself.
  ///   - shown: The case.
  ///   - change: The relation between changes of this feature and of the part.
  ///   - feature: The feature to plug in.
  /// - Returns: This feature with the part.
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
      // The design does not keep the part while it changes, so the part is not copied.
      if let substitute { design[keyPath: place] = substitute }
      defer { design[keyPath: place] = shown.embed(part) }
      return apply(&part, change)
    }
  }
}

extension CasePath {
  /// The path to the value of an optional.
  fileprivate static var some: CasePath<Part?, Part> {
    CasePath<Part?, Part>(embed: { $0 }, extract: { $0 })
  }
}
