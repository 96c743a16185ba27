extension Joint where Key == Single {
  /// A part that is always there.
  @inlinable static func once(
    _ place: any KeyPath<Whole.Design, Part.Design> & Sendable,
    _ change: CasePath<Whole.Change, Part.Change>
  ) -> Joint {
    Joint(
      place: place, canGo: false, extract: { change.extract($0).map { (Single(), $0) } },
      embed: { change.embed($1) }, only: { _ in Single() },
      lookup: { _ in PartLookup(read: { $0[keyPath: place] }, isThere: { _ in true }) },
      read: { design, _ in design[keyPath: place] },
      all: { [(Single(), $0[keyPath: place])] })
  }
}

extension Joint {
  /// The elements of a collection.
  @inlinable static func each<C: Collection & Sendable>(
    _ place: any KeyPath<Whole.Design, C> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> Joint where C.Element == Part.Design, Part.Design: Identifiable, Part.Design.ID == Key {
    let hint = PositionHint()
    return Joint(
      place: place, canGo: true, extract: { change.extract($0).map { ($0.0, $0.1) } },
      embed: { change.embed(($0, $1)) }, only: nil,
      lookup: { .element(of: place, $0) },
      read: { hint.element($1, of: $0[keyPath: place]) },
      all: { $0[keyPath: place].map { ($0.id, $0) } })
  }

  /// The values of a dictionary.
  @inlinable static func each(
    _ place: any KeyPath<Whole.Design, [Key: Part.Design]> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> Joint {
    Joint(
      place: place, canGo: true, extract: { change.extract($0).map { ($0.0, $0.1) } },
      embed: { change.embed(($0, $1)) }, only: nil,
      lookup: { .value(of: place, $0) },
      read: { $0[keyPath: place][$1] },
      all: { $0[keyPath: place].map { ($0.key, $0.value) } })
  }

  /// A part that may be there.
  ///
  /// - Parameters:
  ///   - place: Where it stands in the design.
  ///   - change: How its changes lie in those of the whole.
  ///   - kind: Which of the kinds of parts at the place it is; `nil` where there is one kind.
  ///   - shown: The part that a design shows, if it shows one.
  ///   - key: What tells it from another that takes its place.
  /// - Returns: The joint.
  @inlinable static func optional(
    _ place: any AnyKeyPath & Sendable, _ change: CasePath<Whole.Change, Part.Change>,
    kind: PartKind? = nil, shown: @escaping @Sendable (Whole.Design) -> Part.Design?,
    key: @escaping @Sendable (Part.Design) -> Key
  ) -> Joint {
    let read: @Sendable (Whole.Design, Key) -> Part.Design? = { design, wanted in
      shown(design).flatMap { key($0) == wanted ? $0 : nil }
    }
    return Joint(
      place: place, kind: kind, canGo: true, extract: { change.extract($0).map { (nil, $0) } },
      embed: { change.embed($1) }, only: { shown($0).map(key) },
      lookup: { key in PartLookup(read: { read($0, key) }) },
      read: read, all: { shown($0).map { [(key($0), $0)] } ?? [] })
  }
}
