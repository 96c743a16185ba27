extension HardwareFacts {
  /// USB hardware of the wanted kind that the kernel keeps from every driver.
  public struct USBObstacle: Hashable, Sendable, Codable {
    /// What keeps it away.
    public enum Reason: String, Hashable, Sendable, Codable {
      /// `authorized` of the device is 0.
      case deviceNotAuthorized = "device_not_authorized"
      /// `authorized` of its interfaces is 0.
      case interfaceNotAuthorized = "interface_not_authorized"
      /// `bConfigurationValue` of the device is empty or 0.
      case notConfigured = "not_configured"
    }

    /// The path of the device in sysfs, such as `/sys/bus/usb/devices/1-5`.
    public var sysfsPath: String
    /// What the hardware calls itself; untrusted.
    public var name: String?
    /// What keeps the drivers away.
    public var reason: Reason
    /// The interfaces without authorization, such as `1-5:1.0`.
    public var interfaces: [String]?
    /// The value of the configuration that holds the wanted interfaces.
    public var configuration: Int?
    /// Vendor and product of the device in hexadecimal, such as `046d:0825`.
    public var identifiers: String?
    /// `authorized_default` of the bus, whose root hub has it: 0 when new devices have to be
    /// authorized one by one; `nil` when unknown.
    public var hubDefault: Int?
    /// Whether it has a serial number, without which nothing tells it from others of its model;
    /// `nil` when unknown.
    public var hasSerial: Bool?

    /// Creates the facts of a USB device that no driver may have.
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
    /// What it calls itself; untrusted.
    public var model: String?
    /// The driver of the hardware.
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

  /// A device number, and what sysfs and `/proc/devices` know of it.
  public struct Number: Hashable, Sendable, Codable {
    /// Major and minor number of the node.
    public var number: DeviceNumber
    /// Whether it numbers block devices; the same number of a character device is another.
    public var isBlock: Bool
    /// The subsystem of the device that has it; `nil` when sysfs has none.
    public var subsystem: String?
    /// Whether a driver has registered it; `nil` when that is unknown.
    public var hasDriver: Bool?

    /// Creates the facts of a number; without more, of one that nothing is known about.
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
