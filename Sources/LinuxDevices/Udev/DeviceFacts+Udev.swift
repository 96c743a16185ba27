internal import AccessModel

extension DeviceFacts {
  /// Copies everything out of libudev's device; `nil` for one without a usable path in sysfs.
  init?(_ device: borrowing UdevDevice) {
    guard let sysfsPath = device.sysfsPath else { return nil }
    self.init(
      node: device.node, sysfsPath: sysfsPath, subsystem: device.subsystem,
      kernelName: device.kernelName, isInitialized: device.isInitialized)
    properties = device.properties
    number = device.number
    // libudev looks for a missing database again with every question.
    guard isInitialized else { return }
    tags = device.tags
    currentTags = device.currentTags
    links = device.claimedLinks
  }

  /// A device of a recorded machine, from its files alone.
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

  /// Fills in what does not come from udev, and takes back what it only claims.
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

    // Without a database (a container, a mock) the properties may still carry the tags.
    if tags.isEmpty { tags = Self.list(properties["TAGS"]) ?? [] }
    if currentTags?.isEmpty ?? true {
      if let claimed = Self.list(properties["CURRENT_TAGS"]) {
        currentTags = claimed
      } else if !tags.isEmpty {
        // Either no tag holds now, or the daemon does not tell: the database says which.
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

  /// The name that udev's rules or the kernel gave it.
  var bestName: String? {
    let candidates = [
      properties["ID_MODEL_FROM_DATABASE"], properties["NAME"].map(Self.unquoted),
      properties["ID_MODEL"].map { String($0.map { $0 == "_" ? " " : $0 }) },
    ]
    return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
  }

  /// Without one quote at either end, as the input subsystem prints names.
  private static func unquoted(_ name: String) -> String {
    guard name.count >= 2, name.first == "\"", name.last == "\"" else { return name }
    return String(name.dropFirst().dropLast())
  }
}
