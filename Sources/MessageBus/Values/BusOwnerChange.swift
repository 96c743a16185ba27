/// That a name on the bus has another owner: unique names of connections, empty where there is none.
package struct BusOwnerChange: Hashable, Sendable {
  package var name: String
  package var before: String
  package var after: String
}

extension BusIncoming {
  /// Whether the bus itself sent it: nobody else has the name that the bus sends by.
  var isOfBus: Bool { sender == "org.freedesktop.DBus" }

  /// What the bus itself says about the owner of a name; `nil` for anything else.
  package var ownerChange: BusOwnerChange? {
    guard isSignal, isOfBus, member == "NameOwnerChanged",
      arguments.count == 3, let name = arguments[0].text, let before = arguments[1].text,
      let after = arguments[2].text
    else { return nil }
    return BusOwnerChange(name: name, before: before, after: after)
  }
}

extension BusCall {
  /// Has the bus tell who owns a name from now on, by ``BusIncoming/ownerChange``.
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
