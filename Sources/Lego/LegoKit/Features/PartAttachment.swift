internal import Synchronization

/// Describes how the parts of one kind belong to a whole.
///
/// `Key` distinguishes parts that exist at the same time or one after another.
struct PartAttachment<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>: Sendable {
  /// The key path of the part, or of the collection that contains the parts.
  let place: any AnyKeyPath & Sendable
  /// Distinguishes several kinds of parts at the place.
  var kind: PartKind?
  /// A Boolean value that indicates whether a part can go.
  let canGo: Bool
  /// Returns the part's change in a change of the whole, and the part's key if the change contains
  /// it.
  let extract: @Sendable (Whole.Change) -> (key: Key?, change: Part.Change)?
  let embed: @Sendable (Key, Part.Change) -> Whole.Change
  /// Returns the key of the part in a design that contains at most one.
  var only: (@Sendable (Whole.Design) -> Key?)?
  /// Returns the lookup of one part.
  let lookup: @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>
  /// Returns one part of a design.
  let read: @Sendable (Whole.Design, Key) -> Part.Design?
  /// Returns all parts of a design.
  let all: @Sendable (Whole.Design) -> [(Key, Part.Design)]

  /// The step of a path that leads to a part.
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

  /// Converts an effect that follows from the design of a part into one of the whole.
  ///
  /// It follows each part while the part exists.
  func embed(_ follow: Follow<Part>) -> Follow<Whole> {
    Follow<Whole>(id: follow.id) { [self, begin = follow.begin] in
      let memory = Mutex(PartInspections<Key, Part>())
      return { design in
        let parts = all(design)
        // Designs come one at a time, so the lock is free while parts are compared.
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

/// The key of a part if there is at most one, and parts that replace each other are the same.
struct NoKey: Hashable, Sendable {}

// MARK: - Kinds of parts

extension PartAttachment where Key == NoKey {
  /// A part that always exists.
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
  /// A part that can go, one of several at a place.
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

  /// The elements of a collection.
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

  /// The values of a dictionary.
  static func each(
    _ place: any KeyPath<Whole.Design, [Key: Part.Design]> & Sendable,
    _ change: CasePath<Whole.Change, (Key, Part.Change)>
  ) -> PartAttachment {
    oneOfMany(
      place, change, lookup: { .value(of: place, $0) }, read: { $0[keyPath: place][$1] },
      all: { $0[keyPath: place].map { ($0.key, $0.value) } })
  }

  /// The screens of a path, or the presented screens.
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

  /// A part that can go, the only one at a place.
  ///
  /// - Parameters:
  ///   - place: The place in the design.
  ///   - change: The relation between changes of the whole and of the part.
  ///   - kind: Distinguishes several kinds of parts at the place.
  ///   - shown: Returns the part of a design.
  ///   - key: Distinguishes the part from another that replaces it.
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

/// The parts of one kind in the last design, and the closures that inspect them for effects that
/// follow from their designs.
private struct PartInspections<Key: Hashable & Sendable, Part: Blueprint>: Sendable {
  typealias Due = (key: Key, part: Part.Design, inspect: Follow<Part>.Inspect)

  private var parts: [(Key, Part.Design)] = []
  private var inspections: [Key: Follow<Part>.Inspect] = [:]

  init() {}

  /// Takes the parts of a new design.
  ///
  /// - Parameters:
  ///   - new: The parts.
  ///   - begin: Creates the closure for a part that has appeared.
  /// - Returns: The parts that changed. If a part appeared, went or moved, all of them.
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
