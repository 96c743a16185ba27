internal import AccessModel

/// The facts about a device on a recorded machine, from sysfs and the udev database.
///
/// libudev always uses `/sys` and `/run/udev`, so files in other places are parsed here.
struct UdevRecord {
  var properties: [String: String] = [:]
  var tags: [String] = []
  var currentTags: [String] = []
  var links: [String] = []
  /// A Boolean value that indicates whether the database has a file for the device.
  var isInitialized = false

  /// Parses a `uevent` file of sysfs, which consists of `KEY=value` lines.
  mutating func read(uevent bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) { readProperty(line) }
    // The kernel reports the node's name without `/dev/`.
    if let name = properties["DEVNAME"], name.utf8.first != UInt8(ascii: "/") {
      properties["DEVNAME"] = "/dev/\(name)"
    }
  }

  /// Parses a database file; each line consists of a letter, a colon and a value.
  mutating func read(database bytes: [UInt8]) {
    isInitialized = true
    for line in bytes.split(separator: ByteScanner.newline) {
      guard line.dropFirst().first == UInt8(ascii: ":"), let letter = line.first else { continue }
      let value = line.dropFirst(2)
      let text = String(repairing: value, limit: UdevDevice.textLimit)
      switch letter {
      case UInt8(ascii: "E"): readProperty(value)
      case UInt8(ascii: "G") where tags.count < UdevDevice.countLimit: tags.append(text)
      case UInt8(ascii: "Q") where currentTags.count < UdevDevice.countLimit:
        currentTags.append(text)
      case UInt8(ascii: "S") where links.count < UdevDevice.countLimit: links.append("/dev/\(text)")
      default: continue
      }
    }
  }

  private mutating func readProperty(_ line: ArraySlice<UInt8>) {
    guard properties.count < UdevDevice.countLimit,
      let sign = line.firstIndex(of: UInt8(ascii: "="))
    else { return }
    properties[String(repairing: line[..<sign], limit: 256)] =
      String(repairing: line[(sign + 1)...], limit: UdevDevice.textLimit)
  }
}
