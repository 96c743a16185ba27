/// Keeps a driver from hardware that another driver, or a program, is to have.
enum DriverBlacklist {
  /// The commands that keep the module of a driver from loading by itself, and that unload it.
  ///
  /// A module mostly has the name of its driver, with underscores.
  ///
  /// - Returns: `nil` for a driver of a whole class of devices, which others need as well.
  static func commands(driver: String) -> [String]? {
    let module = HardwareFacts.module(ofDriver: driver)
    guard !general.contains(module), module.isModuleName else { return nil }
    let file = "/etc/modprobe.d/devaccess-\(module).conf"
    return [
      "echo \("blacklist \(module)".shellQuoted) > \(file.shellQuoted)",
      "modprobe -r \(module.shellQuoted)",
    ]
  }

  /// What has to hold for a driver to be kept from loading.
  static func assumption(driver: String) -> String {
    "nothing else on this machine needs \(driver)"
  }

  /// Drivers for all devices of a class, or for the chips in most adapters, and what the system runs on.
  private static let general: Set<String> = [
    "ahci", "asix", "ax88179_178a", "btusb", "cdc_acm", "cdc_ether", "cdc_mbim", "cdc_ncm", "ch341",
    "cp210x", "ftdi_sio", "hid_generic", "hub", "nvme", "option", "pl2303", "qmi_wwan", "r8152",
    "rndis_host", "snd_hda_intel", "snd_usb_audio", "uas", "usb", "usb_storage", "usbhid",
    "usbserial", "usbserial_generic", "uvcvideo", "xhci_hcd", "xpad",
  ]
}

extension HardwareFacts {
  /// The name that the module of a driver mostly has.
  static func module(ofDriver driver: String) -> String {
    String(driver.map { $0 == "-" ? "_" : $0 })
  }
}
