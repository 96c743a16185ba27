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

/// A program that uses a device, either directly or through a media server that has opened it.
public enum DeviceUser: Hashable, Sendable {
  /// A process that holds the device open.
  case holder(DeviceHolder)
  /// A program that uses the device through a media server.
  case client(MediaClient, server: HoldingProcess)
  /// A program that the driver reports, but whose process was not found.
  case unnamed

  /// The untrusted name of the program; `nil` if the process was not found.
  public var name: String? {
    switch self {
    case .holder(let holder): holder.process.name
    case .client(let client, _): client.name
    case .unnamed: nil
    }
  }

  /// The facts about the process; `nil` if it was not found, or if only the program itself reports
  /// its ID.
  public var process: HoldingProcess? {
    switch self {
    case .holder(let holder): holder.process
    case .client(let client, _): client.process
    case .unnamed: nil
    }
  }

  /// The process ID; `nil` if unknown.
  public var processID: Int32? {
    switch self {
    case .holder(let holder): holder.process.id
    case .client(let client, _): client.processID
    case .unnamed: nil
    }
  }

  /// The ID of the desktop application that the program belongs to; `nil` if unknown.
  public var application: String? {
    switch self {
    case .holder(let holder): holder.process.application
    case .client(let client, _): client.application ?? client.process?.application
    case .unnamed: nil
    }
  }

  /// The identity of the user across observations.
  var identity: Identity {
    switch self {
    case .holder(let holder):
      Identity(process: holder.process.id, startTicks: holder.process.startTicks)
    case .client(let client, let server):
      Identity(
        process: server.id, startTicks: server.startTicks, client: client.name,
        clientProcess: client.processID)
    case .unnamed: Identity()
    }
  }

  struct Identity: Hashable {
    var process: Int32?
    var startTicks: UInt64?
    var client: String?
    var clientProcess: Int32?
  }
}

extension DeviceUse {
  /// The maximum number of unnamed users to list.
  private static let mostUnnamed = 64

  /// All programs that use the device: each holder, followed by its clients.
  public var users: [DeviceUser] {
    holders.flatMap { holder in
      [.holder(holder)]
        + (holder.clients ?? []).map { DeviceUser.client($0, server: holder.process) }
    } + Array(repeating: .unnamed, count: max(0, min(unnamedHolders, Self.mostUnnamed)))
  }

  /// The users that receive pictures or sound from the device, or may do so.
  ///
  /// Users that only keep the device open are left out: the feeder of a virtual camera, a program
  /// that waits for a virtual camera to be fed, a program that does not stream according to the
  /// driver, and a media server whose clients are listed instead. A holder that can no longer be
  /// inspected is judged by its last observed hold.
  public var activeUsers: [DeviceUser] {
    var idle = idleUnnamedHolders
    return (users + hiddenHolders.map(DeviceUser.holder)).filter { user in
      if case .unnamed = user, idle > 0 {
        idle -= 1
        return false
      }
      return isActive(user)
    }
  }

  /// Returns whether a user of the device receives pictures or sound from it, or may do so.
  public func isActive(_ user: DeviceUser) -> Bool {
    switch user {
    // The unnamed users are indistinguishable.
    case .unnamed: unnamedHolders > idleUnnamedHolders
    case .client(let client, _): client.isStreaming
    case .holder(let holder): isActive(holder)
    }
  }

  /// A Boolean value that indicates whether a media server has the device open, and it is unknown
  /// whether any client receives pictures or sound.
  public var hasUntoldClients: Bool { holders.contains { flow(to: $0) == .unreported } }

  private func isActive(_ holder: DeviceHolder) -> Bool { flow(to: holder) == .data }

  /// Information about whether a holder receives pictures or sound.
  private enum Flow {
    /// The holder receives data, or may do so.
    case data
    case nothing
    /// The holder is a media server, and it is unknown whether it serves any client.
    case unreported
  }

  private func flow(to holder: DeviceHolder) -> Flow {
    if direction(of: holder) == .feeds { return .nothing }
    // A process with the name of a session manager does stream if the driver reports so.
    if holder.process.isSessionManager, holder.hold.activity != .streaming { return .nothing }
    if isFed == false { return .nothing }
    if let device, device.subsystem == "sound", !device.isStream { return .nothing }
    guard holder.process.isMediaServer else {
      return holder.hold.activity == .idle ? .nothing : .data
    }
    // The clients are separate users.
    guard holder.clients == nil else { return .nothing }
    return switch holder.hold.activity {
    case .streaming: .data
    case .idle: .nothing
    case nil: holder.hold.isMapped ? .data : .unreported
    }
  }
}
