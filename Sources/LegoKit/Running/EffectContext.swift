internal import Synchronization

/// Where an effect stands: the build that caused it, the overrides it keeps, the part and the ids
/// around it, and what follows it.
@usableFromInline struct EffectContext: Sendable {
  /// What most effects do not have, in an object, so that they carry nothing of it.
  @usableFromInline final class Surroundings: Sendable {
    @usableFromInline let overrides: InjectionScope?
    @usableFromInline let way: PartWay?
    let scopes: [EffectScope]
    @usableFromInline let next: EffectNext?

    init(
      overrides: InjectionScope?, way: PartWay? = nil, scopes: [EffectScope] = [],
      next: EffectNext? = nil
    ) {
      self.overrides = overrides
      self.way = way
      self.scopes = scopes
      self.next = next
    }
  }

  @usableFromInline let root: UInt64
  /// The change that the effect answers.
  let number: UInt64
  @usableFromInline let surroundings: Surroundings?

  @usableFromInline init(root: UInt64, number: UInt64, overrides: InjectionScope?) {
    self.init(
      root: root, number: number, overrides.map { Surroundings(overrides: $0) })
  }

  private init(root: UInt64, number: UInt64, _ surroundings: Surroundings?) {
    self.root = root
    self.number = number
    self.surroundings = surroundings
  }

  /// The overrides of the change that caused it; its changes are told under them.
  @inlinable var overrides: InjectionScope? { surroundings?.overrides }

  /// The way to the part that the effect belongs to; `nil` for the whole.
  @inlinable var way: PartWay? { surroundings?.way }

  /// The ids around it, the outermost first.
  var scopes: [EffectScope] { surroundings?.scopes ?? [] }

  @inlinable var next: EffectNext? { surroundings?.next }

  /// Whether no id around it was cancelled.
  @inlinable var isLive: Bool { surroundings == nil || areScopesLive }

  @usableFromInline var areScopesLive: Bool {
    scopes.allSatisfy { $0.isLive.load(ordering: .acquiring) }
  }

  /// The same place within an id.
  @usableFromInline func within(
    _ scope: EffectScope, next: EffectNext? = nil
  ) -> EffectContext {
    with(way, scopes + [scope], next)
  }

  @usableFromInline func followed(by next: EffectNext) -> EffectContext { with(way, scopes, next) }

  /// The same place one part further in.
  func within(_ step: PartStep) -> EffectContext {
    with(PartWay((way?.steps ?? []) + [step]), scopes, next)
  }

  /// The same place as if it stood outside the innermost id, followed by nothing.
  @usableFromInline func outside() -> EffectContext { with(way, scopes.dropLast(), nil) }

  private func with(
    _ way: PartWay?, _ scopes: [EffectScope], _ next: EffectNext?
  ) -> EffectContext {
    EffectContext(
      root: root, number: number,
      Surroundings(overrides: overrides, way: way, scopes: scopes, next: next))
  }
}
