/// An action that a service requests.
package enum BusOrder: Hashable, Sendable {
  /// Answers the call with the given ticket; a second answer does nothing.
  case answer(ticket: UInt64, BusAnswer)
  /// Calls a method, whose answer arrives with the given ticket.
  case call(BusCall, ticket: UInt64)
  /// Releases the name, and ends the service.
  case end
}
