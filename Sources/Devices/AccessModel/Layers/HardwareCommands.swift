extension HardwareFacts.USBInterface {
  /// The command that unbinds the interface from its driver.
  ///
  /// The value is `nil` if the interface has no driver, or if a name is not valid in sysfs.
  var unbindCommand: String? {
    guard let driver, !driver.isEmpty, !driver.utf8.contains(UInt8(ascii: "/")),
      driver != ".", driver != "..", name.isUSBPlace
    else { return nil }
    return "echo \(name) > \("/sys/bus/usb/drivers/\(driver)/unbind".shellQuoted)"
  }
}

extension HardwareFacts.USBObstacle {
  /// The device in the format of a USBGuard rule; `nil` if its name is not valid in sysfs.
  ///
  /// The rule identifies the device by its vendor and product ID, if known, and by its port
  /// (usbguard-rules.conf(5)).
  var guardRule: String? {
    let port = sysfsPath.split(separator: "/").last.map(String.init) ?? ""
    guard port.isUSBPlace, !port.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let numbers = identifiers.flatMap { $0.isUSBIdentifier ? "id \($0) " : nil } ?? ""
    return numbers + "via-port \"\(port)\""
  }
}

extension String {
  /// A Boolean value that indicates whether the string is a safe device name in sysfs.
  ///
  /// Examples are `0000:00:1f.3`, `10-0010` and `INT33BE:00`.
  var isDeviceName: Bool {
    !isEmpty && self != "." && self != ".." && utf8.first != UInt8(ascii: "-")
      && utf8.allSatisfy { byte in
        ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A) || (0x30...0x3A).contains(byte)
          || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(byte)
      }
  }

  /// A Boolean value that indicates whether the string is the path of a device or attribute in
  /// sysfs.
  ///
  /// The check is needed because commands that run as root write to the path, and a snapshot can
  /// contain any path.
  var isSysfsDevicePath: Bool {
    ["/sys/bus/", "/sys/class/", "/sys/devices/"].contains(where: hasPrefix)
      && CaseLimits.problem(ofCanonical: self) == nil
  }
}

/// Prevents a driver from loading, so that another driver or a program can use its hardware.
enum DriverBlacklist {
  /// Returns the commands that unload a driver's module and prevent it from loading automatically.
  ///
  /// A module usually has the name of its driver, with underscores instead of hyphens.
  ///
  /// - Returns: The commands; `nil` if other devices may also need the driver.
  static func commands(driver: String) -> [String]? {
    let module = HardwareFacts.moduleName(driver)
    guard !general.contains(module), module.isModuleName else { return nil }
    let file = "/etc/modprobe.d/devaccess-\(module).conf"
    return [
      "echo \("blacklist \(module)".shellQuoted) > \(file.shellQuoted)",
      "modprobe -r \(module.shellQuoted)",
    ]
  }

  /// Returns the condition under which it is safe to prevent the driver from loading.
  static func assumption(driver: String) -> String {
    "nothing else on this machine needs \(driver)"
  }

  /// Drivers for a whole class of devices, for the chips in most adapters, or for system disks.
  private static let general: Set<String> = [
    "ahci", "asix", "ax88179_178a", "btusb", "cdc_acm", "cdc_ether", "cdc_mbim", "cdc_ncm", "ch341",
    "cp210x", "ftdi_sio", "hid_generic", "hub", "nvme", "option", "pl2303", "qmi_wwan", "r8152",
    "rndis_host", "snd_hda_intel", "snd_usb_audio", "uas", "usb", "usb_storage", "usbhid",
    "usbserial", "usbserial_generic", "uvcvideo", "xhci_hcd", "xpad",
  ]
}
