/// Conditions of a udev rule that identify one device, preferably by its serial number.
///
/// A suggested rule may match every device of a model, but these conditions match only one device.
/// They use properties that systemd's rules set, so their file must sort after those rules.
public struct DeviceRule: Hashable, Sendable {
  /// The conditions in the syntax of udev rules.
  public let conditions: String
  /// The property that identifies the device, such as `its serial number`.
  public let basis: String
  /// A noun phrase for the additional access that the rule gives; `nil` if it gives none.
  public let scope: String?

  /// Creates the conditions; `nil` if no known property identifies the device in a rule.
  public init?(only device: DeviceFacts) {
    guard !device.subsystem.isEmpty, device.subsystem.utf8.allSatisfy(\.isSubsystemByte),
      let name = Self.namePattern(device.kernelName)
    else { return nil }
    var text = #"SUBSYSTEM=="\#(device.subsystem)", KERNEL=="\#(name)""#
    if let vendor = device.hexadecimal("ID_VENDOR_ID"),
      let model = device.hexadecimal("ID_MODEL_ID")
    {
      text += #", ENV{ID_VENDOR_ID}=="\#(vendor)", ENV{ID_MODEL_ID}=="\#(model)""#
    }
    if let interface = device.properties["ID_USB_INTERFACE_NUM"], interface.isRuleWord {
      text += #", ENV{ID_USB_INTERFACE_NUM}=="\#(interface)""#
    }
    if let index = device.index { text += #", ATTR{index}=="\#(index)""# }
    let isNumbered = name.contains("*")
    if text.contains("ID_MODEL_ID"), let serial = device.properties["ID_SERIAL_SHORT"],
      serial.isRuleWord
    {
      conditions = text + #", ENV{ID_SERIAL_SHORT}=="\#(serial)""#
      basis = "its serial number"
    } else if let path = device.properties["ID_PATH"], path.isLiteralInRules {
      conditions = text + #", ENV{ID_PATH}=="\#(path)""#
      basis = "the place where it is plugged in, because it has no serial number"
    } else if !isNumbered {
      conditions = text
      basis = "its name, which no other device has"
    } else if let place = device.numberedPath {
      conditions = text + #", DEVPATH=="\#(place)""#
      basis = "the place where it is plugged in, because it has no serial number"
    } else {
      return nil
    }
    let isDistinct =
      !isNumbered || device.index != nil || device.properties["ID_USB_INTERFACE_NUM"] != nil
      || device.subsystem == "sound"
    scope = isDistinct ? nil : "access to other nodes of the same device that are called \(name)"
  }

  /// Returns a rule that adds an ACL entry for a user whenever udev processes the device.
  ///
  /// - Parameters:
  ///   - permissions: The permissions of the entry.
  ///   - user: The user's number.
  /// - Returns: The line.
  public func granting(_ permissions: Permissions, toUser user: UInt32) -> String {
    conditions + ", " + UdevRuleRemedies.entryAction("u:\(user)", permissions)
  }

  /// Returns a rule that runs a program at every event of the device, except its removal.
  ///
  /// The program gets the path of the node as its last argument.
  ///
  /// - Parameters:
  ///   - program: The absolute path of the program, followed by its arguments.
  ///   - conditions: The conditions that identify the device; see ``conditions``.
  /// - Returns: The line; `nil` if a word contains characters that udev would interpret.
  public static func running(_ program: [String], if conditions: String) -> String? {
    guard program.first?.first == "/", program.allSatisfy(\.isLiteralInRules) else { return nil }
    let line = program.joined(separator: " ")
    return #"\#(conditions), ACTION!="remove", RUN+="\#(line) $devnode""#
  }

  /// Returns a kernel name with its number replaced with a wildcard, such as `video*` or
  /// `pcmC*D0c`.
  ///
  /// - Returns: The pattern; `nil` if the name is not safe in a rule, or has nothing but a number.
  static func namePattern(_ name: String) -> String? {
    guard name.isRuleWord else { return nil }
    if name.hasPrefix("pcmC"), let rest = name.dropFirst(4).firstIndex(of: "D") {
      return "pcmC*" + name[rest...]
    }
    let stem = name.withoutNumber
    if stem.utf8.count == name.utf8.count { return name }
    return stem.isEmpty ? nil : stem + "*"
  }
}

extension DeviceFacts {
  /// The sysfs path with a wildcard for the number of the node.
  fileprivate var numberedPath: String? {
    guard let start = sysfsPath.start(of: "/devices/") else { return nil }
    let path = String(sysfsPath[start...])
    guard path.isLiteralInRules, path.hasSuffix("/" + kernelName) else { return nil }
    return path.withoutNumber + "*"
  }
}

extension String {
  /// A Boolean value that indicates whether udev takes the string literally.
  fileprivate var isLiteralInRules: Bool {
    !isEmpty && utf8.count <= 1024
      && utf8.allSatisfy { byte in
        byte.isSubsystemByte || (0x41...0x5A).contains(byte)
          || [0x2E, 0x2F, 0x3A, 0x40, 0x3D, 0x2B].contains(byte)
      }
  }

  /// The string without trailing digits.
  var withoutNumber: String {
    var stem = self[...]
    while let last = stem.utf8.last, (0x30...0x39).contains(last) { stem.removeLast() }
    return String(stem)
  }

  /// Returns the index at which a text starts in the string.
  fileprivate func start(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
