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
