internal import Synchronization

/// How the parts of one kind are joined to a whole.
///
/// `Key` is what tells the parts apart where there are several at a time or one after another.
@usableFromInline
struct Joint<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>: Sendable {
  /// Where the parts stand in the whole's design.
  @usableFromInline let place: any AnyKeyPath & Sendable
  /// Which of the kinds of parts at the place these are; `nil` where there is one kind.
  @usableFromInline let kind: PartKind?
  /// Whether a part can go.
  @usableFromInline let canGo: Bool
  /// The part's change in a change of the whole, with the part's key where the change names it.
  @usableFromInline let extract: @Sendable (Whole.Change) -> (key: Key?, change: Part.Change)?
  @usableFromInline let embed: @Sendable (Key, Part.Change) -> Whole.Change
  /// The key of the part in a design that has at most one.
  @usableFromInline let only: (@Sendable (Whole.Design) -> Key?)?
  @usableFromInline let lookup: @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>
  @usableFromInline let read: @Sendable (Whole.Design, Key) -> Part.Design?
  /// All parts of a design.
  @usableFromInline let all: @Sendable (Whole.Design) -> [(Key, Part.Design)]
  /// The parts that a change may have taken away, where that is known without a look at each.
  var touched:
    (
      @Sendable (Whole.Design, inout PartRoster<Whole.Design>.Memory) ->
        [AnySendableHashable]?
    )?
  /// What ``looks(_:)`` answers where it need not go through all parts.
  var quickLooks: (@Sendable (@escaping Begin) -> Looks)?

  @usableFromInline init(
    place: any AnyKeyPath & Sendable, kind: PartKind? = nil, canGo: Bool,
    extract: @escaping @Sendable (Whole.Change) -> (key: Key?, change: Part.Change)?,
    embed: @escaping @Sendable (Key, Part.Change) -> Whole.Change,
    only: (@Sendable (Whole.Design) -> Key?)?,
    lookup: @escaping @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>,
    read: @escaping @Sendable (Whole.Design, Key) -> Part.Design?,
    all: @escaping @Sendable (Whole.Design) -> [(Key, Part.Design)]
  ) {
    (self.place, self.kind, self.canGo) = (place, kind, canGo)
    (self.extract, self.embed, self.only) = (extract, embed, only)
    (self.lookup, self.read, self.all) = (lookup, read, all)
  }

  /// Makes what looks at a part that has come.
  typealias Begin = @Sendable () -> Follow<Part>.Look
  /// Takes a design, and answers with the parts to look at.
  ///
  /// Designs have to come in their order and one at a time.
  typealias Looks = @Sendable (Whole.Design) -> [PartLooks<Key, Part>.Due]

  /// Begins to look for the parts of each new design that effects may follow from.
  func looks(_ begin: @escaping Begin) -> Looks {
    if let quickLooks { return quickLooks(begin) }
    let memory = Mutex(PartLooks<Key, Part>())
    return { [all] design in
      let parts = all(design)
      // The lock only proves that designs come one at a time, and is free while parts are compared.
      var looks = memory.withLock { $0 }
      let due = looks.take(parts, begin)
      memory.withLock { [looks] in $0 = looks }
      return due
    }
  }

  /// The roster that leads to a part.
  func roster(of key: Key) -> PartRoster<Whole.Design>? {
    touched.map {
      PartRoster(
        place: [PartStep(place: place, id: nil, kind: kind)], id: AnySendableHashable(key),
        touched: $0)
    }
  }

  /// The step that leads to a part.
  @usableFromInline func step(to key: Key) -> PartStep {
    PartStep(
      place: place, id: key is Single ? nil : AnySendableHashable(key), kind: kind)
  }

  /// The key of the part that a step leads to, if it leads to one of these.
  func key(of step: PartStep?) -> Key? {
    guard let step, step.kind == kind, step.place as AnyKeyPath == place as AnyKeyPath else {
      return nil
    }
    return step.id.map { $0.value as? Key } ?? Single() as? Key
  }
}

/// The key of a part that has no id.
@usableFromInline struct Single: Hashable, Sendable {
  @inlinable init() {}
}
