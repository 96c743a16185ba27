internal import Synchronization

/// What happens when one or more effects have ended.
@usableFromInline final class EffectNext: Sendable {
  @usableFromInline enum Step: Sendable {
    /// Runs the rest of a concatenation.
    case rest(EffectStart)
    /// Ends a scope, which may make room for an effect that waits.
    case leave(EffectScope)
    /// Nothing of its own.
    case join
  }

  /// Who goes on with the rest of a concatenation.
  private enum Handover: UInt8 {
    case starting, started, ended, stopped
  }

  let step: Step
  let context: EffectContext
  private let remaining: Atomic<Int>
  private let handover = Atomic(Handover.starting.rawValue)

  @usableFromInline init(_ step: Step, after count: Int = 1, in context: EffectContext) {
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

  /// Leaves the rest to whoever still starts the effect before it.
  ///
  /// An effect that ends while it starts would otherwise deepen the stack with each step.
  ///
  /// - Parameter isContinuing: Whether the rest may start.
  /// - Returns: Whether it was left; when not, the rest is the caller's.
  func isLeftToStarter(isContinuing: Bool) -> Bool {
    let end = isContinuing ? Handover.ended : .stopped
    return handover.compareExchange(
      expected: Handover.starting.rawValue, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Says that the effect before the rest has been started.
  ///
  /// - Returns: Whether the rest may start, or `nil` when that effect goes on with it at its end.
  @usableFromInline func started() -> Bool? {
    let (isFirst, found) = handover.compareExchange(
      expected: Handover.starting.rawValue, desired: Handover.started.rawValue,
      ordering: .acquiringAndReleasing)
    return isFirst ? nil : found == Handover.ended.rawValue
  }
}
