internal import AccessModel

/// A description of USB interfaces whose driver creates nodes of a kind.
struct WantedInterface {
  /// The class of the interface (`bInterfaceClass`; USB 2.0, table 9-12).
  var interfaceClass: Int
  /// The subclass (`bInterfaceSubClass`); `nil` for any.
  var subclass: Int?
  /// The vendor and product IDs of devices with a vendor-specific class; empty for any.
  var identifiers: Set<String> = []
  /// The module whose driver creates the node.
  var module: String

  /// Returns the interfaces of a kind; empty if interfaces do not identify the kind.
  static func all(of kind: DeviceKind) -> [WantedInterface] {
    switch kind {
    case .camera: [WantedInterface(interfaceClass: 0x0E, module: "uvcvideo")]
    case .microphone: [WantedInterface(interfaceClass: 0x01, module: "snd_usb_audio")]
    case .serial: serial
    default: []
    }
  }

  /// The communication class of modems, and the chips in most adapters.
  ///
  /// The IDs come from the tables in drivers/usb/serial.
  private static let serial = [
    WantedInterface(interfaceClass: 0x02, subclass: 0x02, module: "cdc_acm"),
    WantedInterface(
      interfaceClass: 0xFF, identifiers: ["1a86:5523", "1a86:7522", "1a86:7523"], module: "ch341"),
    WantedInterface(
      interfaceClass: 0xFF, identifiers: ["10c4:ea60", "10c4:ea70", "10c4:ea71"], module: "cp210x"),
    WantedInterface(
      interfaceClass: 0xFF,
      identifiers: ["0403:6001", "0403:6010", "0403:6011", "0403:6014", "0403:6015"],
      module: "ftdi_sio"),
    WantedInterface(interfaceClass: 0xFF, identifiers: ["067b:2303"], module: "pl2303"),
  ]

  /// Returns whether an interface matches this description.
  func matches(class interfaceClass: Int, subclass: Int?, of identifiers: String?) -> Bool {
    guard interfaceClass == self.interfaceClass else { return false }
    if let wanted = self.subclass, wanted != subclass { return false }
    guard !self.identifiers.isEmpty else { return true }
    return identifiers.map(self.identifiers.contains) ?? false
  }

  /// The name of the module's driver in sysfs.
  var driver: String { HardwareFacts.driver(ofModule: module) }
}
