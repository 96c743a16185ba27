/// What a change leaves to be done once the store's lock is free again.
@usableFromInline final class Aftermath<B: Blueprint>: Sendable {
  enum Problem: Sendable {
    /// A change of a part that is not there.
    case noPart(B.Change)
    /// A change that came after the store was closed.
    case closed(B.Change)
  }

  /// The effects of the parts that the change took away.
  let ended: EffectRegistry.Ended
  /// Why the change was ignored; `nil` when it was applied.
  let problem: Problem?

  /// Who is woken by the change.
  let sleepers: [@Sendable () -> Void]

  init(
    ended: EffectRegistry.Ended = .init(), problem: Problem? = nil,
    sleepers: [@Sendable () -> Void] = []
  ) {
    self.ended = ended
    self.sleepers = sleepers
    self.problem = problem
  }
}
