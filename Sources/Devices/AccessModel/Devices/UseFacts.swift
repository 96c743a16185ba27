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
  private enum CodingKeys: String, CodingKey {
    case devices
    case unseen
    case observedAt = "observed_at"
  }

  /// A limit that exceeds the number of devices in any machine.
  private static let mostDevices = 65536

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    devices = try values.bounded(.devices, limit: Self.mostDevices)
    unseen = try values.decode(UnseenProcesses.self, forKey: .unseen)
    observedAt = try values.decodeIfPresent(Int64.self, forKey: .observedAt)
  }
}

/// The state of a device's use, as far as it could be observed.
public enum UseState: String, Hashable, Sendable, Codable, CaseIterable {
  /// At least one process holds the device open.
  case used
  /// No process holds the device open: every process was inspected, or the driver itself reports
  /// it.
  case free
  /// No process was found, but processes that could hold the device could not be inspected.
  case unknown
}

/// The processes that could not be inspected, with the reasons.
public struct UnseenProcesses: Hashable, Sendable, Codable {
  /// A reason why processes could not be inspected.
  public enum Reason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Tracing them requires the same user or `CAP_SYS_PTRACE`, and the caller has neither.
    case notTraceable = "not_traceable"
    /// The kernel refuses although the caller has `CAP_SYS_PTRACE`.
    ///
    /// The cause is a user namespace, a security module, or the server of a filesystem on which a
    /// process has files open.
    case refused
    /// `/proc` hides the processes of other users (the mount option `hidepid`).
    case hidden
    /// The processes run outside the PID namespace of the container that the caller runs in.
    case outside
    /// Reading failed for another reason.
    case failed
  }

  /// The number of processes that are known to run but could not be inspected.
  public var count: Int
  /// The reasons why they could not be inspected.
  public var reasons: Set<Reason>

  /// Creates a count with its reasons; by default, every process was inspected.
  public init(count: Int = 0, reasons: Set<Reason> = []) {
    self.count = count
    self.reasons = reasons
  }

  /// A Boolean value that indicates whether every process was inspected.
  public var isEmpty: Bool { count == 0 && reasons.isEmpty }

  /// A Boolean value that indicates whether there may be more processes than ``count``, because
  /// some cannot even be counted.
  public var isAtLeast: Bool { !reasons.isDisjoint(with: [.hidden, .outside]) }

  /// A Boolean value that indicates whether an administrator of this machine could inspect more of
  /// them.
  public var needsAdministrator: Bool { !reasons.isDisjoint(with: [.notTraceable, .hidden]) }

  private enum CodingKeys: String, CodingKey {
    case count, reasons
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(count, forKey: .count)
    try values.encode(reasons.sorted { $0.rawValue < $1.rawValue }, forKey: .reasons)
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    count = try values.decode(Int.self, forKey: .count)
    let list: [Reason] = try values.bounded(.reasons, limit: Reason.allCases.count)
    reasons = Set(list)
  }
}

extension UseFacts {
  /// Adds the holders from an earlier observation that still run but can no longer be inspected.
  ///
  /// If the driver reports that no process has a device open, the device has no such holders.
  ///
  /// - Parameter before: The earlier facts about the same devices.
  package mutating func keepHidden(of before: UseFacts) {
    guard !outOfSight.isEmpty else { return }
    for index in devices.indices where !(devices[index].isToldByDriver && !devices[index].isHeld) {
      let earlier = before.devices.first {
        $0.identity == devices[index].identity && !devices[index].hasReplaced($0)
      }
      let seen = Set(devices[index].holders.map { DeviceUser.holder($0).identity })
      devices[index].hiddenHolders = ((earlier?.holders ?? []) + (earlier?.hiddenHolders ?? []))
        .filter { holder in
          outOfSight.contains(holder.process.id)
            && !seen.contains(DeviceUser.holder(holder).identity)
        }
    }
  }
}
