/// A list whose entries are cancelled by number.
protocol TicketOffice: AnyObject, Sendable {
  /// Removes the entry with this number, if it is still there.
  func cancel(ticket: UInt64)
}
