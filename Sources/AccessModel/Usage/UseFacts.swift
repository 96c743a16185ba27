/// Who holds devices open, as one look at all processes saw it.
///
/// The look is a snapshot: a process may open or close a device while others are looked at.
public struct UseFacts: Hashable, Sendable {
  /// The devices in question, in the order of the question.
  public var devices: [DeviceUse]
  /// The processes that could hold any of them without having been seen.
  public var unseen: UnseenProcesses
  /// When the look began, in seconds since the epoch; `nil` where it was not recorded.
  public var observedAt: Int64?
  /// The numbers of processes that held a device at an earlier look of one watch, run on, and cannot be
  /// looked into any more.
  package var outOfSight: Set<Int32> = []

  /// Creates the use of devices.
  public init(
    devices: [DeviceUse] = [], unseen: UnseenProcesses = UnseenProcesses(),
    observedAt: Int64? = nil
  ) {
    self.devices = devices
    self.unseen = unseen
    self.observedAt = observedAt
  }

  /// What is known of the use of a device in these facts.
  public func state(of device: DeviceUse) -> UseState {
    if device.isHeld { return .used }
    return device.isToldByDriver || unseen.isEmpty ? .free : .unknown
  }

  /// These facts after a look that failed: who was seen may hold a device still, and nothing is free.
  package var inDoubt: UseFacts {
    var facts = self
    facts.unseen.reasons.insert(.failed)
    for index in facts.devices.indices where !facts.devices[index].isHeld {
      facts.devices[index].isToldByDriver = false
    }
    return facts
  }

  /// The use of the device with a node; `nil` when it was not in question.
  public func use(ofNode path: String) -> DeviceUse? {
    devices.first { $0.node.isSame(as: path) }
  }

  /// The use of a device, by whichever node it is reached; `nil` when it was not in question.
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

  /// More devices than a machine has.
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
