internal import AccessModel
internal import Glibc

extension DeviceFacts {
  /// Copies everything out of libudev's device; `nil` for one without a usable path in sysfs.
  init?(_ device: borrowing UdevDevice, roots: MachineRoots) {
    guard let sysfsPath = device.sysfsPath else { return nil }
    let properties = device.properties
    let isInitialized = device.isInitialized
    self.init(
      node: device.node, sysfsPath: sysfsPath, subsystem: device.subsystem,
      kernelName: device.kernelName, seat: properties["ID_SEAT"] ?? "seat0",
      isInitialized: isInitialized)
    self.properties = properties
    number = device.number
    driver = device.parentDriver
    bus = properties["ID_BUS"] ?? device.parentSubsystem
    index = device.attribute("index").flatMap { Int($0) }
    name = Self.bestName(properties, attribute: device.attribute("name"))
    links =
      node.map { node in
        device.claimedLinks.filter { DeviceLink.leads($0, to: node) }.sorted()
      } ?? []

    tags = device.tags
    let current = device.currentTags
    // Without a udev database (a container, a mock) the properties may still carry the tags.
    if tags.isEmpty { tags = Self.list(properties["TAGS"]) ?? [] }
    if !current.isEmpty {
      currentTags = current
    } else if let claimed = Self.list(properties["CURRENT_TAGS"]) {
      currentTags = claimed
    } else if isInitialized {
      // No current tag at all, or a udev daemon that does not tell: the database says which.
      currentTags = UdevDatabase(roots: roots).tellsCurrentTags(of: self) ? [] : nil
    }
  }

  /// Splits a list of tags, such as `:seat:uaccess:`.
  private static func list(_ tags: String?) -> [String]? {
    tags.map { $0.split(separator: ":").map(String.init) }
  }

  private static func bestName(_ properties: [String: String], attribute: String?) -> String? {
    let candidates = [
      properties["ID_V4L_PRODUCT"], attribute, properties["ID_MODEL_FROM_DATABASE"],
      properties["NAME"]?.replacing(quotes: "\""),
      properties["ID_MODEL"].map { String($0.map { $0 == "_" ? " " : $0 }) },
    ]
    return candidates.lazy.compactMap { $0 }.first { !$0.isEmpty }
  }
}

extension String {
  /// Without one quote at either end, as the input subsystem prints names.
  fileprivate func replacing(quotes: Character) -> String {
    guard count >= 2, first == quotes, last == quotes else { return self }
    return String(dropFirst().dropLast())
  }
}
