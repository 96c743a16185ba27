/// A call to a method of an object on a bus.
package struct BusCall: Hashable, Sendable {
  package var destination: String
  package var path: String
  package var interface: String
  package var member: String
  package var arguments: [BusArgument]
  /// A Boolean value that indicates whether the bus may start the service.
  package var startsService: Bool

  package init(
    _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusArgument] = [], startsService: Bool = true
  ) {
    self.destination = destination
    self.path = path
    self.interface = interface
    self.member = member
    self.arguments = arguments
    self.startsService = startsService
  }

  /// Returns a call to a method of the bus itself.
  package static func bus(_ member: String, _ arguments: [BusArgument]) -> BusCall {
    BusCall(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", member, arguments)
  }
}

/// The reply to a call.
package struct BusReply: Hashable, Sendable {
  package var values: [BusValue]
  /// The unique name of the connection that answered, such as `:1.7`.
  package var sender: String
}

/// The answer to an incoming call.
package enum BusAnswer: Hashable, Sendable {
  case values([BusArgument])
  /// A standard error: the last part of its name after `org.freedesktop.DBus.Error`, and a text.
  case refusal(String, String)
  /// An error that the service defines: its full name, and a text.
  case failure(name: String, String)
}

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

/// A change of the owner of a name on the bus.
///
/// The owners are unique names of connections; the name of a missing owner is empty.
package struct BusOwnerChange: Hashable, Sendable {
  package var name: String
  package var before: String
  package var after: String
}

extension BusIncoming {
  /// A Boolean value that indicates whether the bus itself is the sender, whose name no client can
  /// have.
  var isOfBus: Bool { sender == "org.freedesktop.DBus" }

  /// The change of owner that the bus reports; `nil` for any other message.
  package var ownerChange: BusOwnerChange? {
    guard isSignal, isOfBus, member == "NameOwnerChanged",
      arguments.count == 3, let name = arguments[0].text, let before = arguments[1].text,
      let after = arguments[2].text
    else { return nil }
    return BusOwnerChange(name: name, before: before, after: after)
  }
}

extension BusCall {
  /// Returns the call that subscribes to changes of a name's owner; see
  /// ``BusIncoming/ownerChange``.
  package static func followOwner(of name: String) -> BusCall {
    .bus(
      "AddMatch",
      [
        .text(
          "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
            + "member='NameOwnerChanged',arg0='\(name)'")
      ])
  }
}
