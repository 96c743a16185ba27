extension HardwareFacts {
  /// The facts that determine whether ModemManager opens a serial port to search for a modem.
  public struct Port: Hashable, Sendable, Codable {
    /// The node of the port.
    public var node: String
    /// The class, subclass and protocol of the port's USB interface; `nil` if unknown.
    public var interface: [Int]?
    /// The udev properties of the port and of its USB device that start with `ID_MM_`.
    public var properties: [String: String]
    /// The value of ModemManager's option `--filter-policy=`, such as `strict`; `nil` if it could
    /// not be read.
    public var policy: String?
    /// A Boolean value that indicates whether the USB device has no other serial, network or
    /// control port.
    ///
    /// A modem usually has several ports. It is `nil` if unknown.
    public var isAlone: Bool?
    /// The vendor ID of the USB device in hexadecimal, such as `1546`; `nil` if unknown.
    public var vendor: String?

    /// Creates the facts about a port, by default with only its node.
    public init(
      node: String, interface: [Int]? = nil, properties: [String: String] = [:],
      policy: String? = nil, isAlone: Bool? = nil, vendor: String? = nil
    ) {
      self.node = node
      self.interface = interface
      self.properties = properties
      self.policy = policy
      self.isAlone = isAlone
      self.vendor = vendor
    }

    private static let fields: Fields<Self> = [
      .required("node", \.node),
      .optional("interface", \.interface, limit: 3),
      .members("properties", \.properties, omitting: [:]),
      .optional("policy", \.policy),
      .optional("alone", \.isAlone),
      .optional("vendor", \.vendor),
    ]

    public init(from decoder: any Decoder) throws {
      self = try Self.fields.decode(Self(node: ""), from: decoder)
    }

    public func encode(to encoder: any Encoder) throws { try Self.fields.encode(self, to: encoder) }

    /// A Boolean value that indicates whether ModemManager may open the port (`mm_filter_port` and
    /// `mm_filter_device_and_port`).
    ///
    /// ModemManager's udev rules mark the candidates. Under the default policy, `strict`,
    /// ModemManager opens a port that is explicitly assigned to it, or that belongs to a vendor of
    /// modems. It also opens a port whose interface declares AT commands, if the device has further
    /// ports. Many boards declare such commands, but have only one port. Any other policy permits
    /// either only the assigned ports or all candidates.
    var isProbed: Bool {
      guard properties["ID_MM_CANDIDATE"] == "1", !isSet("ID_MM_DEVICE_IGNORE"),
        !isSet("ID_MM_PORT_IGNORE")
      else { return false }
      if isSet("ID_MM_DEVICE_PROCESS") || isSet("ID_MM_TTY_AT_PORT_TYPE") { return true }
      // The policy that permits only assigned ports has two names; version 1.20 accepts both.
      let isListOnly = policy == "whitelist-only" || policy == "allowlist-only"
      guard policy == nil || policy == "strict" || isListOnly else { return true }
      guard !isListOnly else { return false }
      if vendor.map(Self.makers.contains) == true || Self.tags.contains(where: isSet) {
        return true
      }
      return isAlone != true && takesCommands
    }

    /// A Boolean value that indicates whether older versions of ModemManager, which do not check
    /// whether the device has other ports, may open its only port.
    var isProbedByOlder: Bool {
      guard properties["ID_MM_CANDIDATE"] == "1", !isSet("ID_MM_DEVICE_IGNORE"),
        !isSet("ID_MM_PORT_IGNORE"), policy == nil || policy == "strict"
      else { return false }
      return isAlone == true && takesCommands
    }

    /// A Boolean value that indicates whether the interface declares AT commands.
    private var takesCommands: Bool {
      guard let interface, interface.count == 3 else { return false }
      return interface[0] == 2 && interface[1] == 2 && (1...6).contains(interface[2])
    }

    /// The vendors whose devices ModemManager's plugins support regardless of the product.
    ///
    /// Version 1.24 prints them with `--debug` ("registered plugin allowlist vendor id").
    private static let makers: Set<String> = [
      "0421", "0489", "0681", "0af0", "0b3c", "105b", "106c", "114f", "1199", "1269", "12d1",
      "1410", "1508", "1546", "16d5", "1782", "1931", "19d2", "1a26", "1bbb", "1bc7", "1c9e",
      "1e0e", "1e2d", "1eac", "1edd", "2001", "201e", "2020", "203e", "230d", "2357", "2692",
      "2c7c", "2cb7", "305a", "33f8", "3731", "413c", "8086",
    ]

    /// The udev properties by which the plugins select devices ("registered plugin allowlist tag").
    private static let tags = [
      "ID_MM_ERICSSON_MBM", "ID_MM_LONGCHEER_TAGGED", "ID_MM_MTK_TAGGED", "ID_MM_QCOM_SOC",
      "ID_MM_X22X_TAGGED",
    ]

    private func isSet(_ property: String) -> Bool {
      properties[property].map { $0 == "1" || $0 == "true" } ?? false
    }
  }
}

extension HardwareFacts {
  /// Hardware of the requested kind without a node, because another driver or a program holds it.
  public struct Held: Hashable, Sendable, Codable {
    /// The path of the interface in sysfs, such as `/sys/bus/usb/devices/1-5:1.0`.
    public var sysfsPath: String
    /// The name that the hardware reports; untrusted.
    public var name: String?
    /// The driver that holds it; `usbfs` if a program has claimed it.
    public var driver: String
    /// The module that would create the node, such as `ch341`.
    public var module: String
    /// The vendor and product IDs of the device in hexadecimal, such as `1a86:7523`.
    public var identifiers: String?
    /// The raw node of the device, such as `/dev/bus/usb/001/004`.
    public var node: String?

    /// Creates the facts of hardware that another driver holds.
    public init(
      sysfsPath: String, name: String? = nil, driver: String, module: String,
      identifiers: String? = nil, node: String? = nil
    ) {
      self.sysfsPath = sysfsPath
      self.name = name
      self.driver = driver
      self.module = module
      self.identifiers = identifiers
      self.node = node
    }

    private enum CodingKeys: String, CodingKey {
      case sysfsPath = "sysfs_path"
      case name, driver, module, identifiers, node
    }

    /// The interface of the hardware, with its driver.
    var interface: USBInterface { USBInterface(sysfsPath: sysfsPath, driver: driver) }

    /// A Boolean value that indicates whether the driver reserves the device for a virtual machine.
    var isForVirtualMachine: Bool {
      ["vfio-pci", "pci-stub", "pciback", "xen-pciback"].contains(driver)
    }

    /// A Boolean value that indicates whether brltty searches for displays on such devices.
    var isBrailleAdapter: Bool { HardwareFacts.isBrailleAdapter(identifiers) }
  }

  /// Returns a Boolean value that indicates whether brltty searches for a display on a device.
  ///
  /// Braille displays use the same serial port chips as other devices.
  static func isBrailleAdapter(_ identifiers: String?) -> Bool {
    ["0403:6001", "10c4:ea60", "1a86:7523"].contains(identifiers)
  }

  /// The running services for Braille displays.
  var brailleServices: [String] {
    services.filter { $0.hasPrefix("brltty") && $0.hasSuffix(".service") && $0.isUnitName }
  }

  /// Returns the name of a module's driver below `/sys/bus/usb/drivers`.
  package static func driver(ofModule module: String) -> String {
    module == "snd_usb_audio" ? "snd-usb-audio" : module
  }
}
