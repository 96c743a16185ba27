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
