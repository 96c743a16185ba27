/// How much one thread tells of what others have built.
///
/// It is made when the first such change comes, which in most stores never happens.
@usableFromInline final class Share {
  private static let changes = 256
  private static let time = Duration.microseconds(200)
  /// How long a thread waits and tells together, before it tells less than the rest of a share.
  private static let patience = Duration.microseconds(600)

  private var left = changes
  private let end: ContinuousClock.Instant

  /// Creates a share, which begins now.
  ///
  /// One that has waited long is small. Were all small, the turn would be passed on more often, and
  /// each time it may go to a thread that has no core.
  ///
  /// - Parameter waited: How long the thread has waited in its build already.
  init(after waited: Duration = .zero) {
    end = .now + min(Self.time, max(Self.time / 4, Self.patience - waited))
  }

  /// Takes one change out of a share; the first is always in it, so that work gets done.
  ///
  /// - Returns: Whether it was in it.
  static func take(from share: inout Share?) -> Bool {
    let current = share ?? Share()
    share = current
    current.left -= 1
    return current.left == changes - 1 || current.left > 0 && ContinuousClock.now < current.end
  }
}
