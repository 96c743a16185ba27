internal import Synchronization

/// What happens when one or more effects have ended.
final class EffectNext<B: Blueprint>: Sendable {
  enum Step: Sendable {
    /// Runs the rest of a concatenation.
    case rest(ArraySlice<Effect<B.Change>>)
    /// Ends a scope, which may make room for an effect that waits.
    case leave(EffectScope)
    /// Nothing of its own.
    case join
  }

  let step: Step
  let context: EffectContext<B>
  private let remaining: Atomic<Int>

  init(_ step: Step, after count: Int = 1, in context: EffectContext<B>) {
    self.step = step
    self.context = context
    remaining = Atomic(count)
  }

  /// Counts one end.
  ///
  /// - Returns: Whether it was the last.
  func countDown() -> Bool {
    remaining.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
  }
}
