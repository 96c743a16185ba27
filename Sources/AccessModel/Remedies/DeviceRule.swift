/// The conditions of a udev rule that identify one device, by its serial number if it has one.
///
/// A suggested rule may match every device of a model; these conditions never do. They use
/// properties that the rules of systemd set, so their file must sort after those rules.
public struct DeviceRule: Hashable, Sendable {
  /// The conditions in the syntax of a rule.
  public let conditions: String
  /// The property that identifies the device, such as `its serial number`.
  public let basis: String
  /// The other access that the rule gives, as a noun phrase; `nil` if it matches nothing else.
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
    } else if let path = device.properties["ID_PATH"], path.isPlaceWord {
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
    let isTold =
      !isNumbered || device.index != nil || device.properties["ID_USB_INTERFACE_NUM"] != nil
      || device.subsystem == "sound"
    scope = isTold ? nil : "access to other nodes of the same device that are called \(name)"
  }

  /// Returns a rule that gives a user an ACL entry whenever udev processes the device.
  ///
  /// - Parameters:
  ///   - permissions: The permissions of the entry.
  ///   - user: The number of the user.
  /// - Returns: The line.
  public func granting(_ permissions: Permissions, toUser user: UInt32) -> String {
    conditions + ", " + UdevRules.entryAction(String(user), permissions)
  }

  /// Returns a rule that runs a program at every event of the device, with the node as last
  /// argument.
  ///
  /// - Parameters:
  ///   - program: The absolute path and the arguments.
  ///   - conditions: The conditions that identify the device; see ``conditions``.
  /// - Returns: The line; `nil` if a word has characters that udev would interpret.
  public static func running(_ program: [String], if conditions: String) -> String? {
    guard program.first?.first == "/", program.allSatisfy(\.isPlaceWord) else { return nil }
    let line = program.joined(separator: " ")
    return #"\#(conditions), ACTION!="remove", RUN+="\#(line) $devnode""#
  }

  /// Returns the kernel's name with a wildcard for its number, such as `video*` or `pcmC*D0c`.
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
  /// The path in sysfs with a wildcard for the number of the node.
  fileprivate var numberedPath: String? {
    guard let start = sysfsPath.start(of: "/devices/") else { return nil }
    let path = String(sysfsPath[start...])
    guard path.isPlaceWord, path.hasSuffix("/" + kernelName) else { return nil }
    return path.withoutNumber + "*"
  }
}

extension String {
  /// A Boolean value that indicates whether udev takes a path or a place literally.
  fileprivate var isPlaceWord: Bool {
    !isEmpty && utf8.count <= 1024
      && utf8.allSatisfy { byte in
        byte.isSubsystemByte || (0x41...0x5A).contains(byte)
          || [0x2E, 0x2F, 0x3A, 0x40, 0x3D, 0x2B].contains(byte)
      }
  }

  /// The text without the digits at its end.
  var withoutNumber: String {
    var stem = self[...]
    while let last = stem.utf8.last, (0x30...0x39).contains(last) { stem.removeLast() }
    return String(stem)
  }

  /// Returns the position of a text in the string.
  fileprivate func start(of text: String) -> Index? {
    indices.first { self[$0...].hasPrefix(text) }
  }
}
