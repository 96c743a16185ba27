/// A command that udevd itself contains.
enum UdevRuleBuiltin: String, CaseIterable {
  case blkid, btrfs, hwdb, keyboard, kmod, uaccess
  case inputID = "input_id"
  case netDriver = "net_driver"
  case netID = "net_id"
  case netSetupLink = "net_setup_link"
  case pathID = "path_id"
  case usbID = "usb_id"
  case factoryReset = "factory_reset"
  case dissectImage = "dissect_image"

  /// Finds the command at the beginning of a line.
  init?(command: [UInt8]) {
    let word = command.drop { $0.isBlank }.prefix { !$0.isBlank }
    self.init(rawValue: String(decoding: word, as: UTF8.self))
  }

  /// Whether udevd runs it only once for an event.
  var runsOnce: Bool {
    self == .blkid || self == .pathID || self == .usbID || self == .netDriver
  }

  /// What the properties that it sets begin with; `nil` where any may be set.
  var prefixes: [UdevRuleText]? {
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
