/// How much of the time is spent on looking: in the long run at most a fifth, however many events come.
///
/// A program that opens a device closes it a little later, and somebody waits for both. So the first
/// looks after a quiet time follow each event at once.
struct LookBudget {
  /// When all looks until now have had their share of the time.
  private var paid = ContinuousClock.now

  /// The time that belongs to a look, as a multiple of what it took.
  static let share = 5
  /// How far looks may be ahead of their share.
  let credit: Duration

  init(ahead credit: Duration = .seconds(2)) { self.credit = credit }

  /// Before when not to look again.
  var earliest: ContinuousClock.Instant { paid.advanced(by: .zero - credit) }

  /// Counts a look.
  mutating func add(from start: ContinuousClock.Instant, to end: ContinuousClock.Instant) {
    paid = max(paid, start).advanced(by: start.duration(to: end) * Self.share)
  }
}
