internal import Synchronization

/// Where an effect stands: the build that caused it, the overrides it keeps, the ids around it, and
/// what follows it.
@usableFromInline struct EffectContext: Sendable {
  @usableFromInline let root: UInt64
  /// The overrides of the change that caused it; its changes are told under them.
  @usableFromInline let overrides: InjectionScope?
  var scopes: [EffectScope] = []
  @usableFromInline var next: EffectNext?

  @usableFromInline init(
    root: UInt64, overrides: InjectionScope?, scopes: [EffectScope] = [], next: EffectNext? = nil
  ) {
    self.root = root
    self.overrides = overrides
    self.scopes = scopes
    self.next = next
  }

  /// Whether no id around it was cancelled.
  @usableFromInline var isLive: Bool {
    scopes.isEmpty || scopes.allSatisfy { $0.isLive.load(ordering: .acquiring) }
  }

  func within(_ scope: EffectScope, next: EffectNext) -> EffectContext {
    EffectContext(root: root, overrides: overrides, scopes: scopes + [scope], next: next)
  }

  @usableFromInline func followed(by next: EffectNext) -> EffectContext {
    EffectContext(root: root, overrides: overrides, scopes: scopes, next: next)
  }

  /// Where an effect stands that was started from here, but not under the innermost id.
  @usableFromInline var outside: EffectContext {
    EffectContext(root: root, overrides: overrides, scopes: scopes.dropLast())
  }
}
