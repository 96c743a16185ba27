/// The use of devices, as observed in one scan of all processes.
///
/// The scan is not atomic: a process may open or close a device while other processes are scanned.
public struct UseFacts: Hashable, Sendable {
  /// The requested devices, in the order of the request.
  public var devices: [DeviceUse]
  /// The processes that could hold any of the devices but were not inspected.
  public var unseen: UnseenProcesses
  /// The time at which the scan began, in seconds since the epoch; `nil` if not recorded.
  public var observedAt: Int64?
  /// The IDs of the processes that held a device earlier in the same watch and still run, but can
  /// no longer be inspected.
  package var outOfSight: Set<Int32> = []

  /// Creates facts about the use of devices.
  public init(
    devices: [DeviceUse] = [], unseen: UnseenProcesses = UnseenProcesses(),
    observedAt: Int64? = nil
  ) {
    self.devices = devices
    self.unseen = unseen
    self.observedAt = observedAt
  }

  /// Returns the state of a device's use according to these facts.
  public func state(of device: DeviceUse) -> UseState {
    if device.isHeld { return .used }
    return device.isToldByDriver || unseen.isEmpty ? .free : .unknown
  }

  /// The facts to report after a failed scan: known holders may still hold their devices, and no
  /// device counts as free.
  package var inDoubt: UseFacts {
    var facts = self
    facts.unseen.reasons.insert(.failed)
    for index in facts.devices.indices where !facts.devices[index].isHeld {
      facts.devices[index].isToldByDriver = false
    }
    return facts
  }

  /// Returns the use of the device at a node; `nil` if the device was not requested.
  public func use(ofNode path: String) -> DeviceUse? {
    devices.first { $0.node.isSame(as: path) }
  }

  /// Returns the use of a device, even if it was requested by another node; `nil` if it was not
  /// requested.
  public func use(of device: DeviceFacts) -> DeviceUse? {
    guard let node = device.udevNode else { return nil }
    return devices.first { $0.udevNode == node }
  }
}

extension UseFacts: Codable {
  private enum Keys: String, CodingKey {
    case devices
    case unseen
    case observedAt = "observed_at"
  }

  /// A limit that exceeds the number of devices in any machine.
  private static let mostDevices = 65536

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    devices = try values.bounded(.devices, limit: Self.mostDevices)
    unseen = try values.decode(UnseenProcesses.self, forKey: .unseen)
    observedAt = try values.decodeIfPresent(Int64.self, forKey: .observedAt)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(devices, forKey: .devices)
    try values.encode(unseen, forKey: .unseen)
    try values.encodeIfPresent(observedAt, forKey: .observedAt)
  }
}
