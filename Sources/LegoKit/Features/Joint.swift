/// How the parts of one kind are joined to a whole.
///
/// `Key` is what tells the parts apart where there are several at a time or one after another.
struct Joint<Whole: Blueprint, Part: Blueprint, Key: Hashable & Sendable>: Sendable {
  /// Where the parts stand in the whole's design.
  let place: any AnyKeyPath & Sendable
  /// Whether a part can go.
  let canGo: Bool
  /// The part's change in a change of the whole, with the part's key where the change names it.
  let extract: @Sendable (Whole.Change) -> (key: Key?, change: Part.Change)?
  let embed: @Sendable (Key, Part.Change) -> Whole.Change
  /// The key of the part in a design that has at most one.
  let only: (@Sendable (Whole.Design) -> Key?)?
  let lookup: @Sendable (Key) -> PartLookup<Whole.Design, Part.Design>
  let read: @Sendable (Whole.Design, Key) -> Part.Design?
  /// All parts of a design.
  let all: @Sendable (Whole.Design) -> [(Key, Part.Design)]

  /// The step that leads to a part.
  func step(to key: Key) -> PartStep {
    PartStep(place: place, id: key is Single ? nil : AnySendableHashable(key))
  }

  /// The key of the part that a step leads to, if it leads to one of these.
  func key(of step: PartStep?) -> Key? {
    guard let step, step.place as AnyKeyPath == place as AnyKeyPath else { return nil }
    return step.id.map { $0.value as? Key } ?? Single() as? Key
  }
}

/// The key of a part that has no id.
struct Single: Hashable, Sendable {}
