/// How much of the time is spent on looking, however many events come: in the long run at most a fifth,
/// and less where each look is at many devices.
///
/// A program that opens a device closes it a little later, and somebody waits for both. So the first
/// looks after a quiet time follow each event at once.
struct LookBudget {
  /// When all looks until now have had their share of the time.
  private var paid = ContinuousClock.now

  /// The time that belongs to a look, as a multiple of what it took.
  static let share = 5
  /// For how many objects the multiple is one more, once they are many: a look at a thousand devices,
  /// which takes milliseconds, leaves 99 of 100 of them to others.
  static let objectsForOne = 8
  /// The most that a look at many objects holds up the next one, unless it took a fifth of that.
  static let longestRest = Duration.seconds(1)
  /// How far looks may be ahead of their share.
  let credit: Duration

  init(ahead credit: Duration = .seconds(2)) { self.credit = credit }

  /// Before when not to look again.
  var earliest: ContinuousClock.Instant { paid.advanced(by: .zero - credit) }

  /// Counts a look.
  ///
  /// - Parameters:
  ///   - start: When it began.
  ///   - end: When it ended.
  ///   - objectCount: At how many objects it was for one question.
  mutating func add(
    from start: ContinuousClock.Instant, to end: ContinuousClock.Instant, at objectCount: Int = 0
  ) {
    let time = start.duration(to: end)
    let ofMany = min(time * (objectCount / Self.objectsForOne), Self.longestRest)
    paid = max(paid, start).advanced(by: max(time * Self.share, ofMany))
  }
}
