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
