internal import AccessModel

extension DeviceFacts {
  /// Copies the facts from a libudev device; returns `nil` if it has no usable path in sysfs.
  init?(_ device: borrowing UdevDevice) {
    guard let sysfsPath = device.sysfsPath else { return nil }
    self.init(
      node: device.node, sysfsPath: sysfsPath, subsystem: device.subsystem,
      kernelName: device.kernelName, isInitialized: device.isInitialized)
    properties = device.properties
    number = device.number
    // Without a database entry, libudev searches for the file again at each of these calls.
    guard isInitialized else { return }
    tags = device.tags
    currentTags = device.currentTags
    links = device.claimedLinks
  }

  /// Creates the facts of a device on a recorded machine, from its files.
  init(recordedAt path: String, subsystem: String, roots: MachineRoots) {
    self.init(
      node: nil, sysfsPath: path, subsystem: subsystem,
      kernelName: path.split(separator: "/").last.map(String.init) ?? "", isInitialized: false)
    var record = UdevRecord()
    if let uevent = try? BoundedFile.read("\(path)/uevent", limit: 1 << 16) {
      record.read(uevent: uevent.bytes)
    }
    if let major = record.properties["MAJOR"].flatMap({ UInt32($0) }),
      let minor = record.properties["MINOR"].flatMap({ UInt32($0) })
    {
      number = DeviceNumber(major: major, minor: minor)
    }
    if let database = UdevDatabase(roots: roots).file(of: self) { record.read(database: database) }
    node = record.properties["DEVNAME"]
    properties = record.properties
    properties["SUBSYSTEM"] = subsystem
    isInitialized = record.isInitialized
    tags = record.tags
    currentTags = isInitialized ? record.currentTags : nil
    links = record.links
  }

  /// Adds the facts that do not come from udev, and removes links that lead to other devices.
  mutating func complete(_ tree: inout SysfsTree, roots: MachineRoots) {
    seat = properties["ID_SEAT"] ?? "seat0"
    driver = tree.driver(above: sysfsPath)
    bus = properties["ID_BUS"] ?? tree.bus(above: sysfsPath, besides: subsystem)
    if subsystem == "video4linux" {
      index = (try? BoundedFile.line("\(sysfsPath)/index", limit: 32)).flatMap { Int($0) }
      name = properties["ID_V4L_PRODUCT"] ?? (try? BoundedFile.line("\(sysfsPath)/name"))
      if let state = LoopbackState(at: sysfsPath) {
        (isFed, loopbackVersion) = (state.isFed, state.version)
        (isKept, mostOpenFiles) = (state.isKept, state.mostOpenFiles)
      }
    }
    name = name ?? bestName
    if let node { links = links.filter { DeviceLink.leads($0, to: node) }.sorted() }

    // If the database is missing (as in a container), the properties may still contain the tags.
    if tags.isEmpty { tags = Self.list(properties["TAGS"]) ?? [] }
    if currentTags?.isEmpty ?? true {
      if let claimed = Self.list(properties["CURRENT_TAGS"]) {
        currentTags = claimed
      } else if !tags.isEmpty {
        // Either the device has no current tags, or this version of udevd does not record them. The
        // format of the database file shows which.
        let tells = UdevDatabase(roots: roots).file(of: self).map(UdevDatabase.tellsCurrentTags)
        currentTags = tells == true ? [] : nil
      }
    }
    classify()
  }

  /// Splits a list of tags, such as `:seat:uaccess:`.
  private static func list(_ tags: String?) -> [String]? {
    tags.map { $0.split(separator: ":").map(String.init) }
  }

  /// The best name that udev's rules or the kernel assigned.
  var bestName: String? {
    let candidates = [
      properties["ID_MODEL_FROM_DATABASE"], properties["NAME"].map(Self.unquoted),
      properties["ID_MODEL"].map { String($0.map { $0 == "_" ? " " : $0 }) },
    ]
    return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Removes the quotation marks that the input subsystem puts around names.
  private static func unquoted(_ name: String) -> String {
    guard name.count >= 2, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast())
  }
}
