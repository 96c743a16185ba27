extension HardwareFacts {
  /// An interface of a USB device, and the driver that has it.
  ///
  /// Linux gives each interface to one driver at a time; a program that claims one through the raw
  /// node has it by the driver `usbfs` (`usb_driver_claim_interface`).
  public struct USBInterface: Hashable, Sendable, Codable {
    /// The path of the interface in sysfs, such as `/sys/devices/…/1-4/1-4:1.0`.
    public var sysfsPath: String
    /// The name of its driver, such as `cdc_acm`; `nil` when no driver has it.
    public var driver: String?
    /// `bInterfaceClass`, such as 3 for keyboards and mice; `nil` when unknown.
    public var interfaceClass: Int?

    /// Creates the facts of an interface, which no driver has unless said otherwise.
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

    /// The driver by which the kernel notes that a program has claimed an interface.
    static let programDriver = "usbfs"
    /// `USB_CLASS_HUB`, whose driver no program replaces.
    private static let hubClass = 9

    /// Its name, such as `1-4:1.0`.
    var name: String { sysfsPath.split(separator: "/").last.map(String.init) ?? "" }

    /// Whether a program that claims it is refused until its driver lets go.
    var isTaken: Bool { driver != nil && interfaceClass != Self.hubClass }

    /// Whether a program has it.
    var isOfProgram: Bool { driver == Self.programDriver }

    /// Whether it belongs to a device, by its path in sysfs.
    func belongs(to device: DeviceFacts) -> Bool {
      // Below a hub there are the devices behind it, too.
      sysfsPath.utf8.elementsEqual((device.sysfsPath + "/" + name).utf8)
    }

    /// Whether its driver takes several interfaces of a device together, and lets go of all of them
    /// with the first.
    var isOneOfSeveral: Bool { driver.map(Self.combining.contains) ?? false }

    /// Drivers that call `usb_driver_claim_interface` for further interfaces.
    private static let combining: Set<String> = [
      "btusb", "cdc_acm", "cdc_ether", "cdc_mbim", "cdc_ncm", "rndis_host", "snd-usb-audio",
      "uvcvideo",
    ]
  }
}
