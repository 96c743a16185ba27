public import AccessModel
public import LegoKit
public import LinuxDevices

/// Tells which processes use devices.
///
/// No privilege is needed and no device is opened. Without the right to trace them, the processes
/// of others cannot be looked into: they are counted, and a device that nobody was seen to use is
/// then *unknown* and not *free*.
///
/// ```swift
/// let use = try await Contractors().deviceUsage.use(of: [.kind(.camera)])
/// for device in use.devices where use.state(of: device) == .used {
///   print(device.node, device.holders.map(\.process.name))
/// }
/// ```
public struct DeviceUsageService: Service {
  public static let contractor = DeviceUsageService()

  /// What is observed.
  public var machine: any Machine

  /// A service that observes a machine; the running system unless a test names another.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// Who holds devices open, from one look at all processes; the work is done off the caller's
  /// executor.
  ///
  /// - Parameter targets: The devices: by paths, or all of a kind. A kind without devices adds none.
  /// - Throws: `notADevice` when a path leads to no device, `unavailable` when the processes cannot
  ///   be listed.
  /// - Returns: The users of each device, and how many processes could not be looked into.
  @concurrent
  public func use(of targets: [Question.Target]) async throws(DeviceError) -> UseFacts {
    try machine.use(of: targets)
  }
}
