/// An event for a service.
package enum BusEvent: Hashable, Sendable {
  /// A client has called a method; the ticket identifies the call for the answer.
  case called(BusIncoming, ticket: UInt64)
  /// A signal has arrived, for which the service has a match rule or which was sent to it directly.
  case signalled(BusIncoming)
  /// A call of the service has been answered; the ticket is that of the call.
  case answered(ticket: UInt64, Result<[BusValue], BusFailure>)
  /// Another thread has woken the service, at least once.
  case woken
  /// The deadline of the service has passed.
  case timeReached
}
