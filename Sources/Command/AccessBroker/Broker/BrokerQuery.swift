internal import AccessModel
internal import LinuxDevices
internal import MessageBus

/// The arguments of a call to the broker's only method.
struct BrokerQuery: Hashable, Sendable {
  let path: String
  let wanted: Permissions
  let number: DeviceNumber

  /// Reads the arguments.
  ///
  /// - Throws: `invalidArguments` if they are not valid.
  init(_ call: BusIncoming) throws(BrokerRefusal) {
    guard call.signature == BrokerCalls.signature, call.arguments.count == 4 else {
      throw Self.refusal("the arguments must be of the types \(BrokerCalls.signature)")
    }
    // The bus reader returns `other` for a text that is too long.
    guard let path = call.arguments[0].text, path.utf8.count < BrokerCalls.longestPath,
      path.hasPrefix("/dev/"), path.unicodeScalars.allSatisfy({ (0x21...0x7E).contains($0.value) })
    else { throw Self.refusal("the path must be the node of a device below /dev") }
    guard let wanted = call.arguments[1].text.flatMap(BrokerCalls.permissions) else {
      throw Self.refusal("the access must be read, write or readwrite")
    }
    guard let major = call.arguments[2].unsigned.flatMap(UInt32.init(exactly:)),
      let minor = call.arguments[3].unsigned.flatMap(UInt32.init(exactly:))
    else { throw Self.refusal("the device number is invalid") }
    self.path = path
    self.wanted = wanted
    number = DeviceNumber(major: major, minor: minor)
  }

  private static func refusal(_ text: String) -> BrokerRefusal {
    BrokerRefusal(.invalidArguments, text)
  }
}
