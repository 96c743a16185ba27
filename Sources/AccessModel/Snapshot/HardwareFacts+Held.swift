extension HardwareFacts {
  /// Hardware of the wanted kind that has no node, because another driver or a program has it.
  public struct Held: Hashable, Sendable, Codable {
    /// The path of the interface in sysfs, such as `/sys/bus/usb/devices/1-5:1.0`.
    public var sysfsPath: String
    /// What the hardware calls itself; untrusted.
    public var name: String?
    /// The driver that has it; `usbfs` when a program has claimed it.
    public var driver: String
    /// The module that would make the node, such as `ch341`.
    public var module: String
    /// Vendor and product of the device in hexadecimal, such as `1a86:7523`.
    public var identifiers: String?
    /// The raw node of the device, such as `/dev/bus/usb/001/004`.
    public var node: String?

    /// Creates the facts of hardware that another driver has.
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

    /// The interface as one of a device.
    var interface: USBInterface { USBInterface(sysfsPath: sysfsPath, driver: driver) }

    /// Whether the driver keeps a device for a virtual machine.
    var isForVirtualMachine: Bool {
      ["vfio-pci", "pci-stub", "pciback", "xen-pciback"].contains(driver)
    }

    /// Whether brltty looks for displays behind such devices.
    var isBrailleAdapter: Bool { HardwareFacts.isBrailleAdapter(identifiers) }
  }

  /// Whether brltty looks for a display behind a device: a chip for serial ports that displays for
  /// Braille use as well.
  static func isBrailleAdapter(_ identifiers: String?) -> Bool {
    ["0403:6001", "10c4:ea60", "1a86:7523"].contains(identifiers)
  }

  /// The services for Braille displays that run.
  var brailleServices: [String] {
    services.filter { $0.hasPrefix("brltty") && $0.hasSuffix(".service") && $0.isUnitName }
  }

  /// What the driver of a module is called below `/sys/bus/usb/drivers`.
  package static func driver(ofModule module: String) -> String {
    module == "snd_usb_audio" ? "snd-usb-audio" : module
  }
}
