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
