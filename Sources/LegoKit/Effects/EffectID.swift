/// The name that an effect is cancelled or queued by.
@usableFromInline struct EffectID: Hashable, Sendable {
  /// What the name is used for, so that one name can serve both.
  @usableFromInline enum Use: Hashable, Sendable {
    case effect
    /// The pause after a throttled effect.
    case pause
    /// All effects of a part.
    case part
  }

  private let name: AnySendableHashable
  let use: Use
  /// The way to the part whose own the name is; `nil` for the whole.
  private(set) var way: PartWay?

  init(_ name: some Hashable & Sendable, use: Use = .effect) {
    self.name = (name as? EffectID)?.name ?? AnySendableHashable(name)
    self.use = use
  }

  /// The name of all effects of a part.
  init(partAt way: PartWay?) {
    self.init(Use.part, use: .part)
    self.way = way
  }

  /// The same name for another use.
  @usableFromInline func used(as use: Use) -> EffectID {
    var id = EffectID(self, use: use)
    id.way = way
    return id
  }

  /// The name as one of a part's own.
  @usableFromInline func within(_ way: PartWay?) -> EffectID {
    guard let way else { return self }
    var id = self
    id.way = way
    return id
  }

  /// A name that nothing else has.
  @usableFromInline static func unique() -> EffectID { EffectID(Unique()) }

  /// An object whose identity is a name.
  private final class Unique: Hashable, Sendable {
    static func == (left: Unique, right: Unique) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }
}

/// Any value that is both `Hashable` and `Sendable`.
///
/// Values of different types are different: `Int32(1)` is not `1`. The standard library's
/// `AnyHashable` calls numbers of any type equal, but they need not have the same hash, so that a
/// look-up would find one or not by chance.
@usableFromInline struct AnySendableHashable: Hashable, Sendable {
  let value: any Hashable & Sendable

  init(_ value: any Hashable & Sendable) {
    self.value = value
  }

  @usableFromInline static func == (left: AnySendableHashable, right: AnySendableHashable) -> Bool {
    left.equals(left.value, right.value)
  }

  @usableFromInline func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(type(of: value)))
    value.hash(into: &hasher)
  }

  private func equals<Value: Hashable>(_ left: Value, _ right: any Hashable) -> Bool {
    // The types are compared first, because a cast also looks into an optional.
    type(of: right) == Value.self && right as? Value == left
  }
}
