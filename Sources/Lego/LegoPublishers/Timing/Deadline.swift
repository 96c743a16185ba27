/// A deadline that an operator can postpone repeatedly.
///
/// At most one closure is scheduled at a time, regardless of how often the deadline is postponed.
struct Deadline<Moment: Comparable & Sendable>: Sendable {
  private var moment: Moment?
  private var isScheduled = false

  /// Sets or postpones the deadline.
  ///
  /// - Returns: `true` if the caller must schedule a closure for the given time.
  mutating func set(_ moment: Moment) -> Bool {
    self.moment = moment
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Clears the deadline.
  mutating func clear() { moment = nil }

  /// The result of ``fire(at:)``.
  enum Outcome: Sendable {
    /// The deadline has been reached.
    case reached
    /// The deadline was postponed, and the caller must schedule another closure for the new time.
    case postponed(Moment)
    case cleared
  }

  /// Checks the deadline when the closure that was scheduled for the given time runs.
  mutating func fire(at reached: Moment) -> Outcome {
    if let moment, moment > reached { return .postponed(moment) }
    isScheduled = false
    defer { moment = nil }
    return moment == nil ? .cleared : .reached
  }
}
