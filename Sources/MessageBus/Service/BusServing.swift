/// What a service does, as a state: it takes what happens, and says what to do.
///
/// All of it runs on the thread that serves the connection.
package protocol BusServing {
  /// Takes one event.
  ///
  /// - Parameters:
  ///   - event: What happened.
  ///   - now: The time.
  /// - Returns: What to do, in this order.
  mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder]

  /// When it wants to be told of the time; `nil` for never.
  var deadline: ContinuousClock.Instant? { get }

  /// What other threads wake it with; `nil` where none does.
  var wake: BusWake? { get }
}

extension BusServing {
  package var wake: BusWake? { nil }
}
