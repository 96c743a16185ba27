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
