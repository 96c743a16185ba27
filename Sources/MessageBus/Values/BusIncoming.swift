/// A call or a signal that came from the bus.
///
/// Everything but the sender's name was chosen by somebody else.
package struct BusIncoming: Hashable, Sendable {
  package var isSignal: Bool
  /// The unique name of the connection that sent it, which the bus vouches for.
  package var sender: String
  package var path: String
  /// Empty where a call names none.
  package var interface: String
  package var member: String
  /// The types of the arguments, as D-Bus writes them.
  package var signature: String
  package var arguments: [BusValue]

  package init(
    isSignal: Bool, sender: String, path: String, interface: String, member: String,
    signature: String, arguments: [BusValue]
  ) {
    self.isSignal = isSignal
    self.sender = sender
    self.path = path
    self.interface = interface
    self.member = member
    self.signature = signature
    self.arguments = arguments
  }
}
