/// A list whose entries are cancelled by number.
@usableFromInline protocol TicketOffice: AnyObject, Sendable {
  /// Removes the entry with this number, if it is still there.
  func cancel(ticket: UInt64)
}
