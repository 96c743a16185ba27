internal import Synchronization

/// Where an effect stands: the build that caused it, the ids around it, and what follows it.
struct EffectContext<B: Blueprint>: Sendable {
  let root: UInt64
  /// The change that the effect answers.
  var number: UInt64 = 0
  /// The way to the part that the effect belongs to; `nil` for the whole.
  var way: PartWay?
  var scopes: [EffectScope] = []
  var next: EffectNext<B>?

  /// Whether no id around it was cancelled.
  var isLive: Bool { scopes.allSatisfy { $0.isLive.load(ordering: .acquiring) } }

  func within(_ scope: EffectScope, next: EffectNext<B>) -> EffectContext {
    var context = followed(by: next)
    context.scopes.append(scope)
    return context
  }

  func followed(by next: EffectNext<B>) -> EffectContext {
    var context = self
    context.next = next
    return context
  }

  /// The same place one part further in.
  func within(_ step: PartStep) -> EffectContext<B> {
    var context = self
    context.way = PartWay((way?.steps ?? []) + [step])
    return context
  }

  /// The same place as if it stood outside the innermost id, followed by nothing.
  func outside() -> EffectContext<B> {
    var context = self
    context.scopes.removeLast(min(1, scopes.count))
    context.next = nil
    return context
  }
}
