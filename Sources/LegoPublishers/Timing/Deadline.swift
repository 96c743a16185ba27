/// A moment that can be put off again and again, in the state of an operator.
///
/// One closure at a time is given to the scheduler, however often the moment is put off: a value
/// that comes a million times within the span leaves no million closures behind.
struct Deadline<Moment: Comparable & Sendable>: Sendable {
  private var moment: Moment?
  private var isScheduled = false

  /// Puts the moment off.
  ///
  /// - Returns: Whether a closure has to be scheduled for it.
  mutating func set(_ moment: Moment) -> Bool {
    self.moment = moment
    defer { isScheduled = true }
    return !isScheduled
  }

  /// Forgets the moment.
  mutating func clear() { moment = nil }

  enum Outcome: Sendable {
    /// The moment has come.
    case now
    /// Another closure has to be scheduled, for a later moment.
    case later(Moment)
    case never
  }

  /// Tells what to do in the closure that was scheduled for a moment.
  mutating func fire(at reached: Moment) -> Outcome {
    if let moment, moment > reached { return .later(moment) }
    isScheduled = false
    defer { moment = nil }
    return moment == nil ? .never : .now
  }
}
