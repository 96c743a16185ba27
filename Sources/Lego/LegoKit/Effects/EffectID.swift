/// The ID of a group of effects, for cancelling them and for applying policies.
///
/// It combines the name that the program has chosen with the name's use, and with the part that the
/// effects belong to.
@usableFromInline struct EffectID: Hashable, Sendable {
  /// What a name is used for, so that one name can identify several groups.
  @usableFromInline enum Use: Hashable, Sendable {
    /// The effects to which the program has given the name.
    case effect
    /// The pauses of throttled effects.
    case pause
    /// All effects of a part.
    case part
  }

  private let name: AnySendableHashable
  private(set) var use: Use
  /// The path to the part that the effects belong to.
  private(set) var part = PartPath()

  init(_ name: some Hashable & Sendable, use: Use = .effect) {
    self.name = AnySendableHashable(name)
    self.use = use
  }

  /// Creates the ID for all effects of a part.
  init(part: PartPath) {
    self.init(Use.part, use: .part)
    self.part = part
  }

  /// Returns an ID with the same name and a different use.
  @usableFromInline func used(as use: Use) -> EffectID {
    var id = self
    id.use = use
    return id
  }

  /// Returns an ID with the same name in the given part.
  @usableFromInline func within(_ part: PartPath) -> EffectID {
    var id = self
    id.part = part
    return id
  }

  /// Returns an ID that differs from all others.
  static func unique() -> EffectID { EffectID(PartKind()) }
}

/// A value that is both `Hashable` and `Sendable`.
///
/// Values of different types are never equal: `Int32(1)` is not equal to `1`. In contrast, the
/// standard library's `AnyHashable` compares numbers of different types by value.
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
    // The types are compared first, because the cast alone would also unwrap an optional.
    type(of: right) == Value.self && right as? Value == left
  }
}
