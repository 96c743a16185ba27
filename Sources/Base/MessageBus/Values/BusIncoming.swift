/// An incoming call or signal.
///
/// Everything except the sender's name is untrusted.
package struct BusIncoming: Hashable, Sendable {
  package var isSignal: Bool
  /// The unique name of the sender's connection, which the bus guarantees.
  package var sender: String
  package var path: String
  /// The interface; empty if the call has none.
  package var interface: String
  package var member: String
  /// The D-Bus signature of the arguments.
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
