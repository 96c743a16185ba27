/// How much one thread tells of what others have built.
///
/// It is made when the first such change comes, which in most stores never happens.
@usableFromInline final class Share {
  private static let changes = 256
  private static let time = Duration.microseconds(200)

  private var left = changes
  private let end = ContinuousClock.now + time

  init() {}

  /// Takes one change out of a share; the first is always in it, so that work gets done.
  ///
  /// - Returns: Whether it was in it.
  static func take(from share: inout Share?) -> Bool {
    guard let share else {
      share = Share()
      return true
    }
    share.left -= 1
    return share.left > 0 && ContinuousClock.now < share.end
  }
}
