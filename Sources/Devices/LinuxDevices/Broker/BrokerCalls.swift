package import AccessModel
package import MessageBus

/// The D-Bus names of the broker, and calls of its only method.
package enum BrokerCalls {
  package static let name = "org.devaccess.Broker1"
  package static let object = "/org/devaccess/Broker1"
  package static let method = "Open"
  /// The arguments of the method: the path, the access, and the major and minor device number.
  package static let signature = "ssuu"
  /// The maximum length of a path in bytes.
  package static let longestPath = 4_096

  static let hasOwner = BusCall.bus("NameHasOwner", [.text(name)])
  static let activatable = BusCall.bus("ListActivatableNames", [])

  /// The kinds of devices that the broker opens, each with its own polkit action.
  package static let kinds: [DeviceKind] = [.camera, .microphone]

  /// Returns the polkit action for opening a device of the given kind.
  ///
  /// If polkit remembers an authorization, it applies to all devices of that kind but to no other
  /// kind.
  package static func action(for kind: DeviceKind) -> String {
    "org.devaccess.broker.open-\(kind.name)"
  }

  /// Returns a call that asks the broker to open a device.
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

  /// Returns the permissions for an access argument; `nil` if the word is unknown.
  package static func permissions(_ word: String) -> Permissions? {
    switch word {
    case "read": .read
    case "write": .write
    case "readwrite": [.read, .write]
    default: nil
    }
  }
}
