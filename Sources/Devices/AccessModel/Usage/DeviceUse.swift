/// The use of one device, with the processes that hold it open.
public struct DeviceUse: Hashable, Sendable {
  /// The canonical path of the requested device node, such as `/dev/video0`.
  public var node: String
  /// The node that udev manages, which may differ from the requested one.
  package var udevNode: String { device?.udevNode ?? node }
  /// The requested kind, such as `camera`; `nil` if a path was requested.
  public var kind: String?
  /// The requested paths that lead to the device, other than ``node``, such as links or paths with
  /// `./`.
  ///
  /// They are not part of a snapshot.
  public var askedAs: [String] = []
  /// The facts from udev and sysfs; `nil` if no known device belongs to the node.
  public var device: DeviceFacts?
  /// The device number of the node, which identifies the device; `nil` if not recorded.
  public var number: DeviceNumber?
  /// The processes that hold the device, in ascending order of their IDs.
  public var holders: [DeviceHolder]
  /// The holders from an earlier observation that still run but can no longer be inspected.
  ///
  /// They may still hold the device. They are not part of a snapshot.
  public var hiddenHolders: [DeviceHolder] = []
  /// The number of additional uses that the driver reports, but whose processes were not found.
  public var unnamedHolders: Int
  /// The number of unnamed holders that do not stream, according to the driver.
  public var idleUnnamedHolders = 0
  /// A Boolean value that indicates whether the driver itself reports all uses, so none can be
  /// missed.
  public var isToldByDriver: Bool
  /// The number of further streams that programs can open; `nil` if the driver does not report it.
  public var freeStreams: Int?

  /// The directions of the holders of a virtual camera, as learned from earlier observations.
  var knownDirections: [DeviceUser.Identity: KnownDirection] = [:]
  /// The holders of a virtual camera that had it open when its feeder closed it, while the camera
  /// kept reporting that it is fed.
  ///
  /// These holders do not feed it.
  var leftBehind: Set<DeviceUser.Identity> = []
  /// A Boolean value that indicates whether a virtual camera kept reporting that it is fed after
  /// its feeder had closed it.
  var isKeptFed = false

  /// Creates the use of a device, by default without any holder.
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

  /// A Boolean value that indicates whether a virtual camera receives pictures.
  ///
  /// It is `nil` for any other device, and if the driver does not report it.
  public var isFed: Bool? { device?.isFed }

  /// A Boolean value that indicates whether any process is known to hold the device.
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

  /// The maximum number of processes in Linux (`PID_MAX_LIMIT`).
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
