internal import Synchronization

/// Describes where a design contains the parts of one kind, and which changes are meant for them.
///
/// `Key` identifies a part among all parts that exist at the same place, now or later.
struct PartAttachment<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>: Sendable {
  /// The key path of the part, or of the collection that contains the parts.
  let place: any AnyKeyPath & Sendable
  /// Distinguishes several kinds of parts at the same place.
  var kind: PartKind?
  /// A Boolean value that indicates whether the parts can be removed.
  let canGo: Bool
  /// Extracts the change to a part from a change to the whole.
  ///
  /// The key is `nil` if the change does not contain it.
  let extract: @Sendable (Whole.Change) -> (key: Key?, change: Part.Change)?
  let embed: @Sendable (Key, Part.Change) -> Whole.Change
  /// Returns the key of the only part, or `nil` if that part does not exist.
  ///
  /// This property is `nil` if several parts can exist at the place.
  var only: (@Sendable (Whole.Design) -> Key?)?
  /// Returns the lookup for the part with the given key.
  let lookup: @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>
  /// Returns the part with the given key, or `nil` if it does not exist.
  let read: @Sendable (Whole.Design, Key) -> Part.Design?
  /// Returns all parts in a design.
  let all: @Sendable (Whole.Design) -> [(Key, Part.Design)]

  /// Returns the path step to the part with the given key.
  func step(to key: Key) -> PartPath.Step {
    let lookup = lookup(key)
    return PartPath.Step(
      place: place, id: key is NoKey ? nil : AnySendableHashable(key), kind: kind, canGo: canGo,
      find: { whole in (whole as? Whole.Design).flatMap { lookup.find($0) } })
  }

  /// Converts an effect of a part into an effect of the whole.
  func embed(_ effect: Effect<Part.Change>, of key: Key) -> Effect<Whole.Change> {
    effect.isNone ? .none : effect.map { [embed] in embed(key, $0) }.part(step(to: key))
  }

  /// Converts a ``Follow`` of a part into a ``Follow`` of the whole.
  ///
  /// The effect runs separately for each part, for as long as that part exists.
  func embed(_ follow: Follow<Part>) -> Follow<Whole> {
    Follow<Whole>(id: follow.id) { [self, begin = follow.begin] in
      let memory = Mutex(PartInspections<Key, Part>())
      return { design in
        let parts = all(design)
        // Designs arrive one at a time, so the parts can be compared without holding the lock.
        var inspections = memory.withLock { $0 }
        let due = inspections.update(parts, begin)
        memory.withLock { [inspections] in $0 = inspections }
        let effects = due.compactMap { key, part, inspect in
          inspect(part).map { embed($0, of: key) }
        }
        return effects.isEmpty ? nil : .merge(effects)
      }
    }
  }
}

/// The key of a part that has no ID.
///
/// At most one such part exists at a place. A value that replaces it counts as the same part.
struct NoKey: Hashable, Sendable {}

// MARK: - Kinds of parts

extension PartAttachment where Key == NoKey {
  /// Returns the attachment for a part that always exists.
  static func once(
    _ place: any KeyPath<Whole.Design, Part.Design> & Sendable,
    _ change: CasePath<Whole.Change, Part.Change>
  ) -> PartAttachment {
    PartAttachment(
      place: place, canGo: false, extract: { change.extract($0).map { (NoKey(), $0) } },
      embed: { change.embed($1) }, only: { _ in NoKey() },
      lookup: { _ in PartLookup { $0[keyPath: place] } },
      read: { design, _ in design[keyPath: place] },
      all: { [(NoKey(), $0[keyPath: place])] })
  }
}

extension PartAttachment {
  /// Returns the attachment for any number of removable parts at one place.
  private static func oneOfMany(
    _ place: any AnyKeyPath & Sendable, _ change: CasePath<Whole.Change, (Key, Part.Change)>,
    lookup: @escaping @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>,
    read: @escaping @Sendable (Whole.Design, Key) -> Part.Design?,
    all: @escaping @Sendable (Whole.Design) -> [(Key, Part.Design)]
  ) -> PartAttachment {
    PartAttachment(
      place: place, canGo: true, extract: { change.extract($0).map { ($0.0, $0.1) } },
      embed: { change.embed(($0, $1)) }, lookup: lookup, read: read, all: all)
  }

  /// Returns the attachment for the elements of a collection.
  static func each<C: Collection & Sendable>(
    _ place: any KeyPath<Whole.Design, C> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> PartAttachment
  where C.Element == Part.Design, Part.Design: Identifiable, Part.Design.ID == Key {
    let hint = PositionHint()
    return oneOfMany(
      place, change, lookup: { .element(of: place, $0) },
      read: { hint.element($1, of: $0[keyPath: place]) },
      all: { $0[keyPath: place].map { ($0.id, $0) } })
  }

  /// Returns the attachment for the values of a dictionary.
  static func each(
    _ place: any KeyPath<Whole.Design, [Key: Part.Design]> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> PartAttachment {
    oneOfMany(
      place, change, lookup: { .value(of: place, $0) }, read: { $0[keyPath: place][$1] },
      all: { $0[keyPath: place].map { ($0.key, $0.value) } })
  }

  /// Returns the attachment for the screens in a stack, or for presented screens.
  static func screens<Holder: ScreenHolder>(
    _ place: any KeyPath<Whole.Design, Holder> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> PartAttachment
  where Holder.Screen == Part.Design, Part.Design: Identifiable, Part.Design.ID == Key {
    oneOfMany(
      place, change, lookup: { .screen(of: place, $0) },
      read: { $0[keyPath: place].stack[id: $1] },
      all: { $0[keyPath: place].stack.map { ($0.id, $0) } })
  }

  /// Returns the attachment for a place that contains at most one removable part at a time.
  ///
  /// - Parameters:
  ///   - place: The key path of the optional or enum that contains the part.
  ///   - change: The path to the part's change in a change to the whole.
  ///   - kind: Distinguishes several kinds of parts at the same place.
  ///   - shown: Returns the part, or `nil` if a design does not contain it.
  ///   - key: Returns the key of a part. If the key changes, the part has been replaced.
  /// - Returns: The attachment.
  static func optional(
    _ place: any AnyKeyPath & Sendable, _ change: CasePath<Whole.Change, Part.Change>,
    kind: PartKind? = nil, shown: @escaping @Sendable (Whole.Design) -> Part.Design?,
    key: @escaping @Sendable (Part.Design) -> Key
  ) -> PartAttachment {
    let read: @Sendable (Whole.Design, Key) -> Part.Design? = { design, wanted in
      shown(design).flatMap { key($0) == wanted ? $0 : nil }
    }
    return PartAttachment(
      place: place, kind: kind, canGo: true, extract: { change.extract($0).map { (nil, $0) } },
      embed: { change.embed($1) }, only: { shown($0).map(key) },
      lookup: { key in PartLookup { read($0, key) } }, read: read,
      all: { shown($0).map { [(key($0), $0)] } ?? [] })
  }
}

/// Keeps the parts of the last design and, for each part, a closure that inspects it.
private struct PartInspections<Key: Hashable & Sendable, Part: Blueprint>: Sendable {
  typealias Due = (key: Key, part: Part.Design, inspect: Follow<Part>.Inspect)

  private var parts: [(Key, Part.Design)] = []
  private var inspections: [Key: Follow<Part>.Inspect] = [:]

  init() {}

  /// Replaces the parts with those of a new design, and returns the ones that must be inspected.
  ///
  /// - Parameters:
  ///   - new: The keys and designs of all current parts.
  ///   - begin: Creates the closure that inspects an added part.
  /// - Returns: The parts whose designs changed, or all parts if any part was added, removed or
  ///   moved.
  mutating func update(
    _ new: [(Key, Part.Design)], _ begin: () -> Follow<Part>.Inspect
  ) -> [Due] {
    let old = parts
    parts = new
    let isSameOrder = old.count == new.count && new.indices.allSatisfy { old[$0].0 == new[$0].0 }
    if !isSameOrder {
      let earlier = inspections
      inspections = [:]
      for (key, _) in new { inspections[key] = earlier[key] ?? inspections[key] ?? begin() }
    }
    return new.indices.compactMap { index in
      let (key, part) = new[index]
      if isSameOrder, old[index].1 == part { return nil }
      return inspections[key].map { (key, part, $0) }
    }
  }
}
