internal import Synchronization

/// Where an effect stands: the build that caused it, the ids around it, and what follows it.
struct EffectContext<B: Blueprint>: Sendable {
  let root: UInt64
  var scopes: [EffectScope] = []
  var next: EffectNext<B>?

  /// Whether no id around it was cancelled.
  var isLive: Bool { scopes.allSatisfy { $0.isLive.load(ordering: .acquiring) } }

  func within(_ scope: EffectScope, next: EffectNext<B>) -> EffectContext {
    EffectContext(root: root, scopes: scopes + [scope], next: next)
  }

  func followed(by next: EffectNext<B>) -> EffectContext {
    EffectContext(root: root, scopes: scopes, next: next)
  }
}
