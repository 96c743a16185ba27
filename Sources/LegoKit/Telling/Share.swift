/// How much one thread tells of what others have built.
///
/// It is made when the first such change comes, which in most stores never happens.
@usableFromInline final class Share {
  private static let changes = 256
  private static let time = Duration.microseconds(200)

  private var left = changes
  private let end: ContinuousClock.Instant

  /// Creates a share, which begins now.
  ///
  /// - Parameter hasWaited: Whether the thread has waited in its build already, and so tells half.
  init(hasWaited: Bool = false) {
    end = .now + (hasWaited ? Self.time / 2 : Self.time)
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
