/// A moment that can be postponed again and again, in the state of an operator.
///
/// However often the moment is postponed, the scheduler holds only one closure at a time.
struct Deadline<Moment: Comparable & Sendable>: Sendable {
  private var moment: Moment?
  private var isScheduled = false

  /// Sets or postpones the moment.
  ///
  /// - Returns: A Boolean value that indicates whether the caller must schedule a closure for it.
  mutating func set(_ moment: Moment) -> Bool {
    self.moment = moment
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Clears the moment.
  mutating func clear() { moment = nil }

  /// The result of a scheduled closure.
  enum Outcome: Sendable {
    /// The deadline is reached.
    case reached
    /// The caller must schedule another closure, for a later moment.
    case postponed(Moment)
    case cleared
  }

  /// Handles the closure that was scheduled for a moment.
  mutating func fire(at reached: Moment) -> Outcome {
    if let moment, moment > reached { return .postponed(moment) }
    isScheduled = false
    defer { moment = nil }
    return moment == nil ? .cleared : .reached
  }
}
