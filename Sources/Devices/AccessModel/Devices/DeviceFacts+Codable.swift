extension DeviceFacts {
  private enum Keys: String, CodingKey {
    case node
    case systemNode = "system_node"
    case sysfsPath = "sysfs_path"
    case subsystem
    case kernelName = "kernel_name"
    case name
    case driver
    case bus
    case number
    case index
    case links
    case properties
    case tags
    case currentTags = "current_tags"
    case seat
    case isInitialized = "is_initialized"
    case driverCapabilities = "driver_capabilities"
    case isPrivate = "privacy"
    case isFed = "fed"
    case isKept = "kept"
    case mostOpenFiles = "most_open_files"
    case loopbackVersion = "loopback_version"
    case role
    case roleConfidence = "role_confidence"
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    self.init(
      node: try values.decodeIfPresent(String.self, forKey: .node),
      sysfsPath: try values.decode(String.self, forKey: .sysfsPath),
      subsystem: try values.decode(String.self, forKey: .subsystem),
      kernelName: try values.decode(String.self, forKey: .kernelName))
    systemNode = try values.decodeIfPresent(String.self, forKey: .systemNode)
    name = try values.decodeIfPresent(String.self, forKey: .name)
    driver = try values.decodeIfPresent(String.self, forKey: .driver)
    bus = try values.decodeIfPresent(String.self, forKey: .bus)
    number = try values.decodeIfPresent(DeviceNumber.self, forKey: .number)
    index = try values.decodeIfPresent(Int.self, forKey: .index)
    links = try values.decodeIfPresent([String].self, forKey: .links) ?? []
    properties = try values.decodeIfPresent([String: String].self, forKey: .properties) ?? [:]
    tags = try values.decodeIfPresent([String].self, forKey: .tags) ?? []
    currentTags = try values.decodeIfPresent([String].self, forKey: .currentTags)
    seat = try values.decodeIfPresent(String.self, forKey: .seat) ?? seat
    isInitialized = try values.decodeIfPresent(Bool.self, forKey: .isInitialized) ?? true
    driverCapabilities = try values.decodeIfPresent(UInt32.self, forKey: .driverCapabilities)
    isPrivate = try values.decodeIfPresent(Bool.self, forKey: .isPrivate)
    isFed = try values.decodeIfPresent(Bool.self, forKey: .isFed)
    isKept = try values.decodeIfPresent(Bool.self, forKey: .isKept) ?? false
    mostOpenFiles = try values.decodeIfPresent(Int.self, forKey: .mostOpenFiles)
    loopbackVersion = try values.decodeIfPresent(LoopbackVersion.self, forKey: .loopbackVersion)
    // The role is derived from the other facts, so the role in the document is ignored.
    classify()
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(node, forKey: .node)
    try values.encodeIfPresent(systemNode, forKey: .systemNode)
    try values.encode(sysfsPath, forKey: .sysfsPath)
    try values.encode(subsystem, forKey: .subsystem)
    try values.encode(kernelName, forKey: .kernelName)
    try values.encodeIfPresent(name, forKey: .name)
    try values.encodeIfPresent(driver, forKey: .driver)
    try values.encodeIfPresent(bus, forKey: .bus)
    try values.encodeIfPresent(number, forKey: .number)
    try values.encodeIfPresent(index, forKey: .index)
    try values.encode(links, forKey: .links)
    try values.encode(sorted: properties, forKey: .properties)
    try values.encode(tags, forKey: .tags)
    try values.encodeIfPresent(currentTags, forKey: .currentTags)
    try values.encode(seat, forKey: .seat)
    try values.encode(isInitialized, forKey: .isInitialized)
    try values.encodeIfPresent(driverCapabilities, forKey: .driverCapabilities)
    try values.encodeIfPresent(isPrivate, forKey: .isPrivate)
    try values.encodeIfPresent(isFed, forKey: .isFed)
    if isKept { try values.encode(isKept, forKey: .isKept) }
    try values.encodeIfPresent(mostOpenFiles, forKey: .mostOpenFiles)
    try values.encodeIfPresent(loopbackVersion, forKey: .loopbackVersion)
    try values.encode(role, forKey: .role)
    try values.encode(roleConfidence, forKey: .roleConfidence)
  }
}
