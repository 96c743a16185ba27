/// When to rest after an event, so that a watch of a thousand files costs little while one after the
/// other changes.
///
/// A processor that was asleep fetches the code and the tables again, which takes as long as some twenty
/// looks, so that twenty events at once cost as much as two or three on their own. The first events after a
/// quiet time are told at once, and so are those of a question that changes again and again, which count
/// for no other: a change that is undone within the rest would not be seen.
struct EventPace {
  /// How long a rest is, in milliseconds.
  static let rest: Int32 = 200
  private static let share = Duration.milliseconds(rest)
  /// How many events are told at once after a quiet time; in the long run as many as there are rests.
  static let credit = 20
  /// How often a question changes within a second that is not to wait.
  static let busyCount = 3
  private static let second = Duration.seconds(1)
  /// After how long a question is forgotten.
  private static let memory = Duration.seconds(10)

  /// When all events until now have had their share of the time, as far ahead as counts.
  private var paid: ContinuousClock.Instant
  /// The latest events of each question: how many they are, of which those more than a second ago
  /// count by half, and since when they are counted.
  private var recent: [Int: (start: ContinuousClock.Instant, count: Int)] = [:]
  private var cleaned: ContinuousClock.Instant

  init(now: ContinuousClock.Instant = .now) { (paid, cleaned) = (now, now) }

  /// Counts a wake-up.
  ///
  /// - Parameters:
  ///   - questions: To whom the events of it matter.
  ///   - now: The time.
  /// - Returns: Whether to rest before the next one.
  mutating func takesRest(after questions: TouchedQuestions, now: ContinuousClock.Instant) -> Bool {
    guard !count(questions, now) else { return false }
    // What happened in a storm is forgotten once there were as many rests as there are events to begin with.
    paid = min(
      max(paid, now).advanced(by: Self.share), now.advanced(by: Self.share * (Self.credit + 1)))
    return now.duration(to: paid) > Self.share * Self.credit
  }

  /// Counts the events of each question; returns whether one of them changes again and again.
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
