/// A command that is built into udevd.
package enum UdevRuleBuiltin: String, CaseIterable {
  case blkid, btrfs, hwdb, keyboard, kmod, uaccess
  case inputID = "input_id"
  case netDriver = "net_driver"
  case netID = "net_id"
  case netSetupLink = "net_setup_link"
  case pathID = "path_id"
  case usbID = "usb_id"
  case factoryReset = "factory_reset"
  case dissectImage = "dissect_image"

  /// Creates the built-in command that a command line starts with.
  package init?(command: [UInt8]) {
    let word = command.drop { $0.isBlank }.prefix { !$0.isBlank }
    self.init(rawValue: String(decoding: word, as: UTF8.self))
  }

  /// A Boolean value that indicates whether udevd runs the command only once per event.
  var runsOnce: Bool {
    self == .blkid || self == .pathID || self == .usbID || self == .netDriver
  }

  /// The prefixes of the properties that the command sets; `nil` if it can set any property.
  package var prefixes: [UdevRuleText]? {
    switch self {
    case .blkid: ["ID_FS_", "ID_PART_"]
    case .btrfs: ["ID_BTRFS_"]
    case .inputID: ["ID_INPUT"]
    case .keyboard, .kmod, .uaccess, .factoryReset: []
    case .netDriver: ["ID_NET_DRIVER"]
    case .netID, .netSetupLink: ["ID_NET_"]
    case .pathID: ["ID_PATH"]
    case .usbID:
      [
        "ID_BUS", "ID_INSTANCE", "ID_MODEL", "ID_REVISION", "ID_SERIAL", "ID_TYPE", "ID_USB_",
        "ID_VENDOR",
      ]
    case .hwdb, .dissectImage: nil
    }
  }
}

/// A program that comes with udev and reports properties of a device.
package enum UdevRuleHelper: String, CaseIterable {
  case cdromID = "cdrom_id"
  case memoryID = "dmi_memory_id"
  case fidoID = "fido_id"
  case mtdProbe = "mtd_probe"
  case v4lID = "v4l_id"

  /// Creates the program that a command starts with.
  ///
  /// udevd searches its own folder for a program without a path.
  package init?(command: [UInt8]) {
    let word = command.drop { $0.isBlank }.prefix { !$0.isBlank }
    let slash = word.lastIndex(of: .slash)
    if let slash {
      let folder = String(decoding: word[..<slash], as: UTF8.self)
      guard ["/lib/udev", "/usr/lib/udev"].contains(folder) else { return nil }
    }
    self.init(
      rawValue: String(decoding: slash.map { word[($0 + 1)...] } ?? word, as: UTF8.self))
  }

  /// The prefixes of the properties that the program prints; no other command sets such properties.
  package var prefixes: [UdevRuleText] {
    switch self {
    case .cdromID: ["ID_CDROM"]
    case .memoryID: ["MEMORY_"]
    case .fidoID: ["ID_FIDO_TOKEN", "ID_SECURITY_TOKEN"]
    case .mtdProbe: ["MTD_FTL"]
    case .v4lID: ["ID_V4L_"]
    }
  }
}
