internal import AccessModel

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
