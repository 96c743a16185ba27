/// The name of an effect, for cancelling and queueing it.
@usableFromInline struct EffectID: Hashable, Sendable {
  /// The purpose of a name.
  ///
  /// The same name may serve several purposes.
  @usableFromInline enum Use: Hashable, Sendable {
    case effect
    /// The pause after a throttled effect.
    case pause
    /// All effects of a part.
    case part
  }

  private let name: AnySendableHashable
  private(set) var use: Use
  /// The part that the name belongs to.
  ///
  /// Equal names in different parts are different IDs.
  private(set) var part = PartPath()

  init(_ name: some Hashable & Sendable, use: Use = .effect) {
    self.name = AnySendableHashable(name)
    self.use = use
  }

  /// The name of all effects of a part.
  init(part: PartPath) {
    self.init(Use.part, use: .part)
    self.part = part
  }

  /// The same name for another purpose.
  @usableFromInline func used(as use: Use) -> EffectID {
    var id = self
    id.use = use
    return id
  }

  /// The same name in a part.
  @usableFromInline func within(_ part: PartPath) -> EffectID {
    var id = self
    id.part = part
    return id
  }

  /// A name that is equal to no other.
  static func unique() -> EffectID { EffectID(PartKind()) }
}

/// A value that is both `Hashable` and `Sendable`.
///
/// Values of different types are different: `Int32(1)` is not equal to `1`. The standard library's
/// `AnyHashable` treats numbers of all types as equal, although their hashes can differ.
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
    // The types are compared first, because a cast also unwraps an optional.
    type(of: right) == Value.self && right as? Value == left
  }
}
