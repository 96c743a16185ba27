extension HardwareFacts {
  /// A USB device of the wanted kind that the kernel does not make available to drivers.
  public struct USBObstacle: Hashable, Sendable, Codable {
    /// The reason why no driver can use the device.
    public enum Reason: String, Hashable, Sendable, Codable {
      /// The device is not authorized: its attribute `authorized` is 0.
      case deviceNotAuthorized = "device_not_authorized"
      /// Interfaces of the device are not authorized: their attributes `authorized` are 0.
      case interfaceNotAuthorized = "interface_not_authorized"
      /// The device is not configured: its attribute `bConfigurationValue` is empty or 0.
      case notConfigured = "not_configured"
    }

    /// The path of the device in sysfs, such as `/sys/bus/usb/devices/1-5`.
    public var sysfsPath: String
    /// The name that the hardware reports; untrusted.
    public var name: String?
    /// The reason why no driver can use the device.
    public var reason: Reason
    /// The interfaces that are not authorized, such as `1-5:1.0`.
    public var interfaces: [String]?
    /// The value of the configuration that contains the wanted interfaces.
    public var configuration: Int?
    /// The vendor and product IDs of the device in hexadecimal, such as `046d:0825`.
    public var identifiers: String?
    /// The attribute `authorized_default` of the root hub of the bus; `nil` if unknown.
    ///
    /// If it is 0, every new device on the bus needs authorization.
    public var hubDefault: Int?
    /// A Boolean value that indicates whether the device has a serial number; `nil` if unknown.
    ///
    /// Without one, the device cannot be distinguished from others of the same model.
    public var hasSerial: Bool?

    /// Creates the facts of a USB device that no driver can use.
    public init(
      sysfsPath: String, name: String? = nil, reason: Reason, interfaces: [String]? = nil,
      configuration: Int? = nil, identifiers: String? = nil, hubDefault: Int? = nil,
      hasSerial: Bool? = nil
    ) {
      self.sysfsPath = sysfsPath
      self.name = name
      self.reason = reason
      self.interfaces = interfaces
      self.configuration = configuration
      self.identifiers = identifiers
      self.hubDefault = hubDefault
      self.hasSerial = hasSerial
    }

    private enum CodingKeys: String, CodingKey {
      case sysfsPath = "sysfs_path"
      case name
      case reason
      case interfaces
      case configuration
      case identifiers
      case hubDefault = "hub_default"
      case hasSerial = "has_serial"
    }
  }

  /// A media controller device, such as the pipeline of a camera sensor.
  public struct MediaDevice: Hashable, Sendable, Codable {
    /// The kernel's name, such as `media0`.
    public var kernelName: String
    /// The name that the device reports; untrusted.
    public var model: String?
    /// The driver of the device.
    public var driver: String?

    /// Creates the facts of a media controller device.
    public init(kernelName: String, model: String? = nil, driver: String? = nil) {
      self.kernelName = kernelName
      self.model = model
      self.driver = driver
    }

    private enum CodingKeys: String, CodingKey {
      case kernelName = "kernel_name"
      case model
      case driver
    }
  }

  /// A device number, with what sysfs and `/proc/devices` contain about it.
  public struct Number: Hashable, Sendable, Codable {
    /// The major and minor number of the node.
    public var number: DeviceNumber
    /// A Boolean value that indicates whether the number belongs to block devices.
    ///
    /// A block device and a character device can have the same number.
    public var isBlock: Bool
    /// The subsystem of the device with this number; `nil` if sysfs has no such device.
    public var subsystem: String?
    /// A Boolean value that indicates whether a driver has registered the number; `nil` if unknown.
    public var hasDriver: Bool?

    /// Creates the facts about a number, by default of a character device without further facts.
    public init(
      _ number: DeviceNumber, isBlock: Bool = false, subsystem: String? = nil,
      hasDriver: Bool? = nil
    ) {
      self.number = number
      self.isBlock = isBlock
      self.subsystem = subsystem
      self.hasDriver = hasDriver
    }

    private enum CodingKeys: String, CodingKey {
      case number
      case isBlock = "block"
      case subsystem
      case hasDriver = "has_driver"
    }
  }
}

extension HardwareFacts {
  /// An interface of a USB device, with the driver that is bound to it.
  ///
  /// Linux binds each interface to one driver at a time. If a program claims an interface through
  /// the raw node, the interface is bound to the driver `usbfs` (`usb_driver_claim_interface`).
  public struct USBInterface: Hashable, Sendable, Codable {
    /// The path of the interface in sysfs, such as `/sys/devices/…/1-4/1-4:1.0`.
    public var sysfsPath: String
    /// The name of the driver, such as `cdc_acm`; `nil` if no driver is bound.
    public var driver: String?
    /// The value of `bInterfaceClass`, such as 3 for keyboards and mice; `nil` if unknown.
    public var interfaceClass: Int?

    /// Creates the facts about an interface, by default without a driver.
    public init(sysfsPath: String, driver: String? = nil, interfaceClass: Int? = nil) {
      self.sysfsPath = sysfsPath
      self.driver = driver
      self.interfaceClass = interfaceClass
    }

    private enum CodingKeys: String, CodingKey {
      case sysfsPath = "sysfs_path"
      case driver
      case interfaceClass = "class"
    }

    /// The driver to which the kernel binds an interface that a program has claimed.
    static let programDriver = "usbfs"
    /// The value of `USB_CLASS_HUB`; programs do not replace the driver of a hub.
    private static let hubClass = 9

    /// The name of the interface, such as `1-4:1.0`.
    var name: String { sysfsPath.split(separator: "/").last.map(String.init) ?? "" }

    /// A Boolean value that indicates whether a program cannot claim the interface until its driver
    /// releases it.
    var isTaken: Bool { driver != nil && interfaceClass != Self.hubClass }

    /// A Boolean value that indicates whether a program has claimed the interface.
    var isOfProgram: Bool { driver == Self.programDriver }

    /// Returns whether the interface belongs to a device, according to its path in sysfs.
    func belongs(to device: DeviceFacts) -> Bool {
      // The directory of a hub also contains the devices that are connected to it.
      sysfsPath.utf8.elementsEqual((device.sysfsPath + "/" + name).utf8)
    }

    /// A Boolean value that indicates whether the driver claims several interfaces of a device, and
    /// releases all of them when the first is released.
    var isOneOfSeveral: Bool { driver.map(Self.combining.contains) ?? false }

    /// The drivers that call `usb_driver_claim_interface` for additional interfaces.
    private static let combining: Set<String> = [
      "btusb", "cdc_acm", "cdc_ether", "cdc_mbim", "cdc_ncm", "rndis_host", "snd-usb-audio",
      "uvcvideo",
    ]
  }
}

extension HardwareFacts {
  /// The service that controls access to the cards in smart-card readers.
  ///
  /// Programs reach the cards through pcscd(8), which asks polkit(8).
  public struct CardService: Hashable, Sendable, Codable {
    /// The status of a session for polkit, which can have a different default for each.
    public enum Standing: String, Hashable, Sendable, Codable, CaseIterable {
      /// A process outside the sessions on local seats, such as one in an SSH session, a service or
      /// a cron job.
      case any
      /// A session on a local seat that is not the active one.
      case inactive
      /// The active session of a local seat.
      case active
    }

    /// polkit's answer to a request about this process.
    public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
      /// The process is authorized.
      case yes
      /// The process is not authorized.
      case no
      /// polkit would ask for a password.
      case challenge
    }

    /// The effect of polkit's rules, which can override the defaults of the actions.
    public enum Rules: String, Hashable, Sendable, Codable, CaseIterable {
      /// No rule decides about any action.
      case none
      /// Some rules decide about actions, but none contains the names of pcscd's actions.
      case other
      /// A rule contains the name of an action of pcscd.
      case named
    }

    /// The actions for which pcscd asks polkit: connecting to it, and accessing a card.
    public static let actions = [
      "org.debian.pcsc-lite.access_pcsc", "org.debian.pcsc-lite.access_card",
    ]

    /// The sessions that the default of at least one action refuses.
    public var refused: [Standing]
    /// The effect of the rules; `nil` if they could not be read.
    public var rules: Rules?
    /// The answer of polkit; `nil` if it was not asked.
    public var answer: Answer?

    /// Creates the facts about a service, by default without rules and an answer.
    public init(refused: [Standing], rules: Rules? = nil, answer: Answer? = nil) {
      self.refused = refused
      self.rules = rules
      self.answer = answer
    }

    private enum CodingKeys: String, CodingKey {
      case refused, rules, answer
    }

    public init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: CodingKeys.self)
      refused = try values.boundedIfPresent(.refused, limit: Standing.allCases.count) ?? []
      rules = try values.decodeIfPresent(Rules.self, forKey: .rules)
      answer = try values.decodeIfPresent(Answer.self, forKey: .answer)
    }
  }

  /// Returns whether a raw USB device contains a smart-card reader.
  package func isCardReader(_ device: DeviceFacts) -> Bool {
    guard device.subsystem == DeviceKind.usb.subsystem, device.node != nil else { return false }
    if device.properties["ID_SMARTCARD_READER"]?.isEmpty == false { return true }
    return interfaces.contains { $0.isOfCards && $0.belongs(to: device) }
  }
}

extension HardwareFacts.USBInterface {
  /// A Boolean value that indicates whether the interface uses CCID, the protocol of smart-card
  /// readers (class 0x0B).
  fileprivate var isOfCards: Bool { interfaceClass == 0x0B }
}
