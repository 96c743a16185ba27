/// Decides when a watch rests after an event.
///
/// Resting keeps the cost low if a watch has a thousand files that change one after another. A
/// processor that was idle must load code and tables into its caches again, which takes as long as
/// about twenty scans. Twenty events that are handled together therefore cost as much as two or
/// three separate ones.
///
/// After a quiet period, the first events are handled at once. The same is true for a question that
/// changes repeatedly, because a change that is reverted during the rest would not be seen. Such
/// events do not count for other questions.
struct EventPace {
  /// The duration of a rest, in milliseconds.
  static let rest: Int32 = 200
  private static let share = Duration.milliseconds(rest)
  /// The number of events that are handled at once after a quiet period.
  ///
  /// In the long run, one event per duration of a rest is handled at once.
  static let credit = 20
  /// The number of events within about a second that exempts a question from resting.
  static let busyCount = 3
  private static let second = Duration.seconds(1)
  /// The time after which the events of a question are forgotten.
  private static let memory = Duration.seconds(10)

  /// The time until which the events so far have used up their share, up to a limit.
  private var paid: ContinuousClock.Instant
  /// The number of recent events of each question, and the start of the counted second.
  ///
  /// With each second that has passed, the number is halved.
  private var recent: [Int: (start: ContinuousClock.Instant, count: Int)] = [:]
  private var cleaned: ContinuousClock.Instant

  init(now: ContinuousClock.Instant = .now) { (paid, cleaned) = (now, now) }

  /// Counts a wake-up, and decides whether to rest.
  ///
  /// - Parameters:
  ///   - questions: The questions that the events affect.
  ///   - now: The current time.
  /// - Returns: `true` if the watch should rest before the next wake-up.
  mutating func takesRest(after questions: TouchedQuestions, now: ContinuousClock.Instant) -> Bool {
    guard !count(questions, now) else { return false }
    // The limit lets the watch recover from a storm of events after about as many rests as the
    // credit.
    paid = min(
      max(paid, now).advanced(by: Self.share), now.advanced(by: Self.share * (Self.credit + 1)))
    return now.duration(to: paid) > Self.share * Self.credit
  }

  /// Counts the events of each question, and returns whether one of them changes repeatedly.
  private mutating func count(
    _ questions: TouchedQuestions, _ now: ContinuousClock.Instant
  ) -> Bool {
    if cleaned.duration(to: now) > Self.memory {
      recent = recent.filter { $0.value.start.duration(to: now) <= Self.memory }
      cleaned = now
    }
    guard case .some(let numbers) = questions else { return false }
    var isBusy = false
    for number in numbers {
      var events = recent[number] ?? (now, 0)
      while events.count > 0, events.start.duration(to: now) > Self.second {
        events = (events.start.advanced(by: Self.second), events.count / 2)
      }
      if events.count == 0 { events.start = now }
      events.count += 1
      recent[number] = events
      if events.count >= Self.busyCount { isBusy = true }
    }
    return isBusy
  }
}
