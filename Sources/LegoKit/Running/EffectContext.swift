internal import Synchronization

/// Where an effect stands: the build that caused it, the overrides it keeps, the part and the ids
/// around it, and what follows it.
@usableFromInline struct EffectContext: Sendable {
  @usableFromInline let root: UInt64
  /// The change that the effect answers.
  let number: UInt64
  /// The overrides of the change that caused it; its changes are told under them.
  @usableFromInline let overrides: InjectionScope?
  /// The way to the part that the effect belongs to; `nil` for the whole.
  @usableFromInline var way: PartWay?
  var scopes: [EffectScope] = []
  @usableFromInline var next: EffectNext?

  @usableFromInline init(root: UInt64, number: UInt64, overrides: InjectionScope?) {
    self.root = root
    self.number = number
    self.overrides = overrides
  }

  /// Whether no id around it was cancelled.
  @usableFromInline var isLive: Bool {
    scopes.isEmpty || scopes.allSatisfy { $0.isLive.load(ordering: .acquiring) }
  }

  func within(_ scope: EffectScope, next: EffectNext) -> EffectContext {
    var context = followed(by: next)
    context.scopes.append(scope)
    return context
  }

  @usableFromInline func followed(by next: EffectNext) -> EffectContext {
    var context = self
    context.next = next
    return context
  }

  /// The same place one part further in.
  func within(_ step: PartStep) -> EffectContext {
    var context = self
    context.way = PartWay((way?.steps ?? []) + [step])
    return context
  }

  /// The same place as if it stood outside the innermost id, followed by nothing.
  @usableFromInline func outside() -> EffectContext {
    var context = self
    context.scopes.removeLast(min(1, scopes.count))
    context.next = nil
    return context
  }
}
