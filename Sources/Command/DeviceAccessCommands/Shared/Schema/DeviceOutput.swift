internal import AccessModel

/// A device as JSON.
struct DeviceOutput: Encodable {
  let node: String?
  let kernelName: String
  let subsystem: String
  let role: DeviceRole
  let roleConfidence: Confidence
  let name: String?
  let driver: String?
  let bus: String?
  let number: DeviceNumber?
  let index: Int?
  let links: [String]
  let seat: String
  let isUserAccessTagged: Bool
  let currentTags: [String]?
  let sysfsPath: String
  let initialized: Bool

  private enum CodingKeys: String, CodingKey {
    case node, subsystem, role, name, driver, bus, number, index, links, seat, initialized
    case kernelName = "kernel_name"
    case roleConfidence = "role_confidence"
    case isUserAccessTagged = "uaccess"
    case currentTags = "current_tags"
    case sysfsPath = "sysfs_path"
  }

  init(_ device: DeviceFacts) {
    node = device.node
    kernelName = device.kernelName
    subsystem = device.subsystem
    role = device.role
    roleConfidence = device.roleConfidence
    name = device.name
    driver = device.driver
    bus = device.bus
    number = device.number
    index = device.index
    links = device.links
    seat = device.seat
    isUserAccessTagged = device.isTaggedForUserAccess
    currentTags = device.currentTags
    sysfsPath = device.sysfsPath
    initialized = device.isInitialized
  }
}

/// A process that holds a device, as JSON.
struct HolderOutput: Encodable {
  let process: HoldingProcess
  let isMediaServer: Bool
  let descriptors: Int
  let access: [String]?
  let isMapped: Bool
  let activity: DeviceHold.Activity?
  let streamingSince: Int64?
  let direction: HoldDirection?
  let isDirectionProven: Bool
  let clients: [MediaClient]?

  private enum CodingKeys: String, CodingKey {
    case descriptors, access, activity, direction, clients
    case isMediaServer = "media_server"
    case isDirectionProven = "direction_proven"
    case isMapped = "mapped"
    case streamingSince = "streaming_since"
  }

  /// Returns the output for all processes that hold a device.
  static func all(_ use: DeviceUse) -> [HolderOutput] {
    use.holders.map { HolderOutput($0, of: use) }
  }

  private init(_ holder: DeviceHolder, of use: DeviceUse) {
    process = holder.process
    isMediaServer = holder.process.isMediaServer
    descriptors = holder.hold.descriptors
    access = holder.hold.access?.words(for: nil)
    isMapped = holder.hold.isMapped
    activity = holder.hold.activity
    streamingSince = holder.hold.streamingSince
    direction = use.direction(of: holder)
    isDirectionProven = use.isDirectionProven(of: holder)
    clients = holder.clients
  }

  func encode(to encoder: any Encoder) throws {
    try process.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(isMediaServer, forKey: .isMediaServer)
    try container.encode(descriptors, forKey: .descriptors)
    try container.encodeIfPresent(access, forKey: .access)
    try container.encode(isMapped, forKey: .isMapped)
    try container.encodeIfPresent(activity, forKey: .activity)
    try container.encodeIfPresent(streamingSince, forKey: .streamingSince)
    if let direction {
      try container.encode(direction, forKey: .direction)
      try container.encode(isDirectionProven, forKey: .isDirectionProven)
    }
    try container.encodeIfPresent(clients, forKey: .clients)
  }
}
