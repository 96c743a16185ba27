/// What a service wants done.
package enum BusOrder: Hashable, Sendable {
  /// Answers a call that came in under the ticket; the second answer does nothing.
  case answer(ticket: UInt64, BusAnswer)
  /// Calls a method; the answer comes under the ticket.
  case call(BusCall, ticket: UInt64)
  /// Gives the name up and ends.
  case end
}
