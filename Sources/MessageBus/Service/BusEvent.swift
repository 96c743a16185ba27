/// What happens to a service.
package enum BusEvent: Hashable, Sendable {
  /// Somebody calls a method, and is answered under the ticket.
  case called(BusIncoming, ticket: UInt64)
  /// A signal that the service has asked for, or that somebody sent it.
  case signalled(BusIncoming)
  /// The answer to a call of its own, under the ticket that it gave the call.
  case answered(ticket: UInt64, Result<[BusValue], BusFailure>)
  /// Another thread has woken the service, once or more often.
  case woken
  /// The time has come that the service named.
  case timeReached
}
