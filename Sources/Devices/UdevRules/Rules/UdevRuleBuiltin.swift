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
