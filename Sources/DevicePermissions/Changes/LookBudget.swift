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
  /// The most that the number of objects holds up the next look; a long one does so for its share.
  static let longestRest = Duration.seconds(1)
  /// How far looks may be ahead of their share.
  let credit: Duration
  /// At how many objects the latest look was, for the question with the most.
  var objectCount = 0

  init(ahead credit: Duration = .seconds(2)) { self.credit = credit }

  /// Before when not to look again.
  var earliest: ContinuousClock.Instant { paid.advanced(by: .zero - credit) }

  /// Counts a time of a processor that a look took until now, or what was made of it.
  mutating func add(_ time: Duration) {
    let now = ContinuousClock.now
    add(from: now.advanced(by: .zero - time), to: now)
  }

  /// Counts a look, or what is made of it.
  mutating func add(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    let time = start.duration(to: end)
    let ofMany = min(time * (objectCount / Self.objectsForOne), Self.longestRest)
    paid = max(paid, start).advanced(by: max(time * Self.share, ofMany))
  }
}
