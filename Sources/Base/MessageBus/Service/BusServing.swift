/// The logic of a service as a state machine, which handles events and returns actions.
///
/// All calls are made on the thread that serves the connection.
package protocol BusServing {
  /// Handles one event.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - now: The current time.
  /// - Returns: The actions to perform, in order.
  mutating func take(_ event: BusEvent, at now: ContinuousClock.Instant) -> [BusOrder]

  /// The time of the next ``BusEvent/timeReached`` event; `nil` for none.
  var deadline: ContinuousClock.Instant? { get }

  /// The object with which other threads wake the service; `nil` if no thread does.
  var wake: BusWake? { get }
}

extension BusServing {
  package var wake: BusWake? { nil }
}
