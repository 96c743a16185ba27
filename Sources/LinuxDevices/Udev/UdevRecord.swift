internal import AccessModel

/// What sysfs and the udev database hold of one device of a recorded machine.
///
/// libudev is fixed to `/sys` and `/run/udev`, so the files of other places are read here.
struct UdevRecord {
  var properties: [String: String] = [:]
  var tags: [String] = []
  var currentTags: [String] = []
  var links: [String] = []
  /// Whether there is a database file at all.
  var isInitialized = false

  /// Reads the `uevent` file of sysfs: `KEY=value` lines.
  mutating func read(uevent bytes: [UInt8]) {
    for line in bytes.split(separator: ByteScanner.newline) { readProperty(line) }
    // The kernel names the node without the directory.
    if let name = properties["DEVNAME"], name.utf8.first != UInt8(ascii: "/") {
      properties["DEVNAME"] = "/dev/\(name)"
    }
  }

  /// Reads a file of the database: a letter, a colon and a value on each line.
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
