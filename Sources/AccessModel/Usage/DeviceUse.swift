/// Who holds one device open.
public struct DeviceUse: Hashable, Sendable {
  /// The canonical path of the device node where it was looked for, such as `/dev/video0`.
  public var node: String
  /// The node that udev knows, by whichever one the device was looked for.
  package var udevNode: String { device?.udevNode ?? node }
  /// The kind that was asked for, such as `camera`; `nil` when a path was.
  public var kind: String?
  /// The paths that were asked for and lead to it, other than ``node``: links, and names with `./`.
  ///
  /// A snapshot does not have them.
  public var askedAs: [String] = []
  /// What udev and sysfs tell of it; `nil` for a node that no device is known behind.
  public var device: DeviceFacts?
  /// The number of the node, by which the device is recognized; `nil` where it was not recorded.
  public var number: DeviceNumber?
  /// The processes that hold it, in the order of their numbers.
  public var holders: [DeviceHolder]
  /// Holders of an earlier look of one watch that run on and cannot be looked into any more: they may hold
  /// it still.
  ///
  /// A snapshot does not have them.
  public var hiddenHolders: [DeviceHolder] = []
  /// How many more uses the driver reports whose processes could not be found.
  public var unnamedHolders: Int
  /// How many of them the driver reports to stream nothing.
  public var idleUnnamedHolders = 0
  /// Whether the driver itself tells who uses it, so that no use can be missed.
  public var isToldByDriver: Bool
  /// How many more streams the driver would let programs open; `nil` where it does not tell.
  public var freeStreams: Int?

  /// What holders of a virtual camera were seen to do at an earlier look.
  var knownDirections: [DeviceUser.Identity: KnownDirection] = [:]
  /// The holders of a virtual camera that had it open when the one that fed it went, and that it is
  /// fed was not taken back: they do not feed it.
  var leftBehind: Set<DeviceUser.Identity> = []
  /// Whether a virtual camera was seen to be called fed for longer than that was so, as a control has it.
  var isKeptFed = false

  /// Creates the use of a device, which nobody holds unless said otherwise.
  public init(
    node: String, kind: String? = nil, device: DeviceFacts? = nil, number: DeviceNumber? = nil,
    holders: [DeviceHolder] = [], unnamedHolders: Int = 0, isToldByDriver: Bool = false
  ) {
    self.node = node
    self.kind = kind
    self.device = device
    self.number = number ?? device?.number
    self.holders = holders
    self.unnamedHolders = unnamedHolders
    self.isToldByDriver = isToldByDriver
  }

  /// Whether a virtual camera gets pictures; `nil` for any other device, and where the driver does
  /// not tell.
  public var isFed: Bool? { device?.isFed }

  /// Whether somebody is known to hold it.
  public var isHeld: Bool { !holders.isEmpty || unnamedHolders > 0 }
}

extension DeviceUse: Codable {
  private enum Keys: String, CodingKey {
    case node
    case kind
    case device
    case number
    case holders
    case unnamedHolders = "unnamed_holders"
    case idleUnnamedHolders = "idle_unnamed_holders"
    case isToldByDriver = "told_by_driver"
    case freeStreams = "free_streams"
  }

  /// As many processes as a kernel can number.
  private static let mostHolders = 1 << 22

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    node = try values.decode(String.self, forKey: .node)
    kind = try values.decodeIfPresent(String.self, forKey: .kind)
    device = try values.decodeIfPresent(DeviceFacts.self, forKey: .device)
    number = try values.decodeIfPresent(DeviceNumber.self, forKey: .number) ?? device?.number
    holders = try values.bounded(.holders, limit: Self.mostHolders)
    unnamedHolders = try values.decodeIfPresent(Int.self, forKey: .unnamedHolders) ?? 0
    idleUnnamedHolders = try values.decodeIfPresent(Int.self, forKey: .idleUnnamedHolders) ?? 0
    isToldByDriver = try values.decodeIfPresent(Bool.self, forKey: .isToldByDriver) ?? false
    freeStreams = try values.decodeIfPresent(Int.self, forKey: .freeStreams)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(node, forKey: .node)
    try values.encodeIfPresent(kind, forKey: .kind)
    try values.encodeIfPresent(device, forKey: .device)
    if device == nil { try values.encodeIfPresent(number, forKey: .number) }
    try values.encode(holders, forKey: .holders)
    try values.encode(unnamedHolders, forKey: .unnamedHolders)
    if idleUnnamedHolders > 0 { try values.encode(idleUnnamedHolders, forKey: .idleUnnamedHolders) }
    try values.encode(isToldByDriver, forKey: .isToldByDriver)
    try values.encodeIfPresent(freeStreams, forKey: .freeStreams)
  }
}
