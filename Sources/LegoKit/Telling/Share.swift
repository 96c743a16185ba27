/// How much one thread tells of what others have built.
@usableFromInline struct Share: Sendable {
  private static let changes = 256
  private static let time = Duration.microseconds(200)
  /// How long a thread waits and tells together, before it tells less than the rest of a share.
  private static let patience = Duration.microseconds(600)

  private var taken = 0
  private let duration: Duration
  private var end: ContinuousClock.Instant?

  /// Creates a share.
  ///
  /// One that has waited long is small. Were all small, the turn would be passed on more often, and
  /// each time it may go to a thread that has no core.
  ///
  /// - Parameter waited: How long the thread has waited in its build already.
  init(after waited: Duration = .zero) {
    duration = min(Self.time, max(Self.time / 4, Self.patience - waited))
  }

  /// Takes one change out of a share; the first is always in it, so that work gets done.
  ///
  /// Its time begins with the second: most often there is one, of an effect that was quick, and to
  /// read the clock takes longer than to tell it.
  ///
  /// - Returns: Whether it was in it.
  mutating func take() -> Bool {
    taken += 1
    guard taken > 1 else { return true }
    guard taken <= Self.changes else { return false }
    let now = ContinuousClock.now
    let end = end ?? now + duration
    self.end = end
    return now < end
  }
}
