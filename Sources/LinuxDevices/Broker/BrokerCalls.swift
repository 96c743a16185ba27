package import AccessModel
package import MessageBus

/// The names of the broker on the system bus, and its one method.
package enum BrokerCalls {
  package static let name = "org.devaccess.Broker1"
  package static let object = "/org/devaccess/Broker1"
  package static let method = "Open"
  /// Path, access, and the major and minor number of the device that is expected there.
  package static let signature = "ssuu"
  /// The most bytes of a path.
  package static let longestPath = 4_096

  static let hasOwner = BusCall.bus("NameHasOwner", [.text(name)])
  static let activatable = BusCall.bus("ListActivatableNames", [])

  /// The kinds of devices that are opened; the action of polkit is one for each.
  package static let kinds: [DeviceKind] = [.camera, .microphone]

  /// The action of polkit that opening a device of a kind is.
  ///
  /// polkit may remember a yes for a while: it is then one for all devices of that kind, and for no
  /// other.
  package static func action(for kind: DeviceKind) -> String {
    "org.devaccess.broker.open-\(kind.name)"
  }

  /// A call that asks for a device.
  package static func open(_ request: BrokerRequest) -> BusCall {
    BusCall(
      name, object, name, method,
      [
        .text(request.path), .text(word(for: request.wanted)), .unsigned(request.device.major),
        .unsigned(request.device.minor),
      ])
  }

  private static func word(for wanted: Permissions) -> String {
    switch (wanted.contains(.read), wanted.contains(.write)) {
    case (true, true): "readwrite"
    case (false, true): "write"
    default: "read"
    }
  }

  /// What an access in a call stands for; `nil` for another word.
  package static func permissions(_ word: String) -> Permissions? {
    switch word {
    case "read": .read
    case "write": .write
    case "readwrite": [.read, .write]
    default: nil
    }
  }
}
