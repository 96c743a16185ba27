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
