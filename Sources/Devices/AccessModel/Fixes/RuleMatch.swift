internal import UdevRules

/// Conditions of a udev rule that match one device and as few others as possible.
///
/// A USB device is matched by its vendor and product ID and, if it is unique, by its serial number.
/// Names with consecutive numbers, such as `video0` or `hidraw1`, can belong to another device
/// after a replug. A rule contains such a number only if no better property is known, in which case
/// the fix says so.
struct RuleMatch {
  /// The conditions in the syntax of udev rules.
  var text: String
  /// A noun phrase for the additional access of a rule with these conditions; `nil` if there is
  /// none.
  var scope: String?
  /// The event after which the conditions no longer match the device.
  var end = Remedy.End.never

  /// The property that identifies a device.
  private enum Basis: CaseIterable {
    /// The vendor ID, product ID and serial number or, without them, the device's place in the
    /// machine.
    case identity
    /// The vendor ID, product ID and USB port.
    case port
    /// The device's place in the machine.
    case place
    /// The kernel name, including its number.
    case name
  }

  /// Returns the conditions to try in order, starting with those that stay valid longest.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - others: All devices of the machine, some of which may have the same serial number.
  ///   - isWhole: Pass `true` to match all nodes of the device, and not only this one.
  /// - Returns: The conditions; empty if no known property can be used in a rule.
  static func all(
    _ device: DeviceFacts, among others: [DeviceFacts], isWhole: Bool = false
  ) -> [RuleMatch] {
    Basis.allCases.compactMap {
      RuleMatch(device, among: others, isWhole: isWhole, by: $0)
    }
  }

  /// Returns conditions that match all devices of the subsystem whose names differ only in their
  /// number.
  static func ofClass(_ device: DeviceFacts) -> RuleMatch? {
    guard let pattern = DeviceRule.namePattern(device.kernelName),
      var match = RuleMatch(device, among: [], isWhole: false, by: .name)
    else { return nil }
    match.text = #"SUBSYSTEM=="\#(device.subsystem)", KERNEL=="\#(pattern)""#
    match.scope = pattern == device.kernelName ? nil : "access to every \(pattern) node"
    match.end = .never
    return match
  }

  /// Returns conditions for a node of the misc driver, such as `/dev/kvm`, whose name never changes.
  init?(misc node: Node) {
    let name = String(node.path.split(separator: "/").last ?? "")
    guard node.rdev?.major == 10, node.path == "/dev/\(name)", name.isRuleWord else { return nil }
    text = #"SUBSYSTEM=="misc", KERNEL=="\#(name)""#
  }

  /// Creates the conditions that use one property; `nil` if it cannot be used for the device.
  private init?(
    _ device: DeviceFacts, among others: [DeviceFacts], isWhole: Bool, by basis: Basis
  ) {
    let port = basis == .port ? device.usbPort : nil
    if basis == .port, port == nil { return nil }
    guard !device.subsystem.isEmpty, device.subsystem.utf8.allSatisfy(\.isSubsystemByte) else {
      return nil
    }
    text = #"SUBSYSTEM=="\#(device.subsystem)""#
    let kernel = device.kernelName
    let vendor = device.usbModel?.vendor ?? device.hexadecimal("ID_VENDOR_ID")
    let isUSB = device.bus == "usb" || device.bus == nil
    if [.identity, .port].contains(basis), let vendor,
      let model = device.usbModel?.product, isUSB
    {
      let nodes = isWhole || device.subsystem == "usb" ? nil : DeviceRule.namePattern(kernel)
      if let nodes { text += #", KERNEL=="\#(nodes)""# }
      // Some programs read a property of the USB device itself.
      text = isWhole ? "" : text + ", "
      text += #"ATTRS{idVendor}=="\#(vendor)", ATTRS{idProduct}=="\#(model)""#
      if let port {
        text += #", KERNELS=="\#(port)""#
        end = .portChange
      } else {
        matchOne(device, among: others)
      }
      if let nodes { matchNode(nodes, of: device, among: others) }
      return
    }
    if basis == .port { return nil }
    let places = device.sysfsPath.split(separator: "/").dropLast().reversed().map(String.init)
    if basis == .identity, let model = places.lazy.compactMap(\.modelOfHID).first {
      text += #", KERNELS=="\#(model).*""#
      scope = "access to other devices of the same model"
      return
    }
    guard kernel.isRuleWord else { return nil }
    if device.subsystem == "usb", kernel.isUSBPlace {
      if basis == .identity, let vendor, isUSB {
        text += #", ATTR{idVendor}=="\#(vendor)""#
      } else {
        scope = "access to whatever is plugged into that port"
      }
      text += #", KERNEL=="\#(kernel)""#
      end = .portChange
      return
    }
    guard let last = kernel.utf8.last, (0x30...0x39).contains(last) else {
      text += #", KERNEL=="\#(kernel)""#
      return
    }
    guard
      basis != .name,
      let place = places.first(where: { $0.isUSBPlace || $0.isPCIAddress || $0.isFirmwareName })
    else {
      text += #", KERNEL=="\#(kernel)""#
      scope = "access to whatever device is named \(kernel) later"
      // Terminals and devices of a board have the same name after every boot.
      let isFixed =
        device.subsystem == "tty" && device.bus == "virtual" || device.bus == "platform"
      if !isFixed { end = .renumbering }
      return
    }
    let stem = kernel.withoutNumber
    text += #", KERNEL=="\#(stem)*", KERNELS=="\#(place)""#
    if let index = device.index {
      text += #", ATTR{index}=="\#(index)""#
    } else {
      scope = "access to other \(stem)* nodes of the same device"
    }
    if place.isUSBPlace { end = .portChange }
  }

  /// Excludes other devices of the model if the device has a unique serial number.
  ///
  /// All `ATTRS` and `KERNELS` keys of a rule must match the same parent, which here is the USB
  /// device.
  private mutating func matchOne(_ device: DeviceFacts, among others: [DeviceFacts]) {
    if let serial = device.properties["ID_SERIAL_SHORT"], serial.isRuleWord,
      !others.contains(where: { $0.hasSerial(of: device) && $0.usbPort != device.usbPort })
    {
      // udev replaces blanks and many other characters with "_" (`udev_replace_chars`), so the
      // property can differ from the attribute.
      let key = serial.utf8.contains(UInt8(ascii: "_")) ? "ENV{ID_SERIAL_SHORT}" : "ATTRS{serial}"
      text += #", \#(key)=="\#(serial)""#
    } else {
      scope = "access to other devices of the same model"
    }
  }

  /// Excludes other nodes of the device if a property distinguishes them.
  private mutating func matchNode(
    _ pattern: String, of device: DeviceFacts, among others: [DeviceFacts]
  ) {
    let interface = device.properties["ID_USB_INTERFACE_NUM"].flatMap { $0.isRuleWord ? $0 : nil }
    if let interface { text += #", ENV{ID_USB_INTERFACE_NUM}=="\#(interface)""# }
    if let index = device.index { text += #", ATTR{index}=="\#(index)""# }
    let isDistinct =
      !pattern.contains("*") || interface != nil || device.index != nil
      || device.subsystem == "sound"
    // One interface, such as a keyboard's, can have several nodes.
    let hasTwin = others.contains { other in
      other.node != device.node && other.usbPort == device.usbPort && other.index == device.index
        && other.subsystem == device.subsystem
        && other.properties["ID_USB_INTERFACE_NUM"] == device.properties["ID_USB_INTERFACE_NUM"]
        && DeviceRule.namePattern(other.kernelName) == pattern
    }
    if !isDistinct || hasTwin, scope == nil {
      scope = "access to other \(pattern) nodes of the same device"
    }
  }
}

extension DeviceFacts {
  /// Returns a property that has four hexadecimal digits, such as a USB vendor ID.
  ///
  /// - Returns: The value; `nil` if the property has any other value, which is not safe in a rule.
  package func hexadecimal(_ property: String) -> String? {
    guard let value = properties[property], value.isHexadecimal(4) else { return nil }
    return value
  }

  /// The identifiers of the USB model, each with four digits.
  ///
  /// Without udev's database, the kernel's property `PRODUCT` of a USB device has them, without leading
  /// zeros.
  fileprivate var usbModel: (vendor: String, product: String)? {
    if let vendor = hexadecimal("ID_VENDOR_ID"), let product = hexadecimal("ID_MODEL_ID") {
      return (vendor, product)
    }
    let parts = (properties["PRODUCT"] ?? "").split(separator: "/").prefix(2).map { part in
      String(repeating: "0", count: max(0, 4 - part.utf8.count)) + part
    }
    guard subsystem == "usb", parts.count == 2, parts.allSatisfy({ $0.isHexadecimal(4) }) else {
      return nil
    }
    return (parts[0], parts[1])
  }

  /// The name of the USB device that the device belongs to, such as `1-4.2`.
  fileprivate var usbPort: String? {
    sysfsPath.split(separator: "/").map(String.init).last { $0.isUSBPlace && !$0.contains(":") }
  }

  /// Returns whether the device has the same model and serial number as another device.
  fileprivate func hasSerial(of other: DeviceFacts) -> Bool {
    ["ID_VENDOR_ID", "ID_MODEL_ID", "ID_SERIAL_SHORT"].allSatisfy {
      properties[$0] == other.properties[$0]
    }
  }
}

extension UInt8 {
  var isSubsystemByte: Bool {
    isDecimal || (0x61...0x7A).contains(self) || self == 0x5F || self == 0x2D
  }
}

extension StringProtocol {
  func isHexadecimal(_ count: Int) -> Bool {
    utf8.count == count && utf8.allSatisfy { $0.isDecimal || (0x61...0x66).contains($0 | 0x20) }
  }
}

extension String {
  /// A Boolean value that indicates whether a udev rule interprets the text literally.
  var isRuleWord: Bool {
    !isEmpty && utf8.count <= 64
      && utf8.allSatisfy { byte in
        byte.isSubsystemByte || (0x41...0x5A).contains(byte) || byte == 0x2E
      }
  }

  /// The model in the name of a HID device, such as `0003:046D:C52B` in `0003:046D:C52B.0001`.
  fileprivate var modelOfHID: String? {
    let halves = split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, halves[1].isHexadecimal(4) else { return nil }
    let numbers = halves[0].split(separator: ":", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers.allSatisfy({ $0.isHexadecimal(4) }) else { return nil }
    return String(halves[0])
  }

  /// A Boolean value that indicates whether the string is a USB vendor and product ID, such as
  /// `046d:0825`.
  var isUSBIdentifier: Bool {
    let halves = split(separator: ":", omittingEmptySubsequences: false)
    return halves.count == 2 && halves.allSatisfy { $0.isHexadecimal(4) }
  }

  /// A Boolean value that indicates whether the string is a device name from the device tree or
  /// ACPI.
  ///
  /// Examples are `fe200000.gpio` and `PNP0C0D:00`.
  fileprivate var isFirmwareName: Bool {
    if let dot = utf8.firstIndex(of: UInt8(ascii: ".")) {
      let address = self[..<dot]
      return address.utf8.count >= 4 && address.isHexadecimal(address.utf8.count) && isRuleWord
    }
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].isHexadecimal(2), (7...8).contains(parts[0].utf8.count) else {
      return false
    }
    return parts[0].utf8.allSatisfy { $0.isDecimal || (0x41...0x5A).contains($0) }
  }

  /// A Boolean value that indicates whether the string is a PCI address, such as `0000:00:02.0`.
  var isPCIAddress: Bool {
    let parts = split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isHexadecimal(4), parts[1].isHexadecimal(2) else {
      return false
    }
    let last = parts[2].split(separator: ".", omittingEmptySubsequences: false)
    return last.count == 2 && last[0].isHexadecimal(2) && last[1].isHexadecimal(1)
  }
}
