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
