public import AccessModel
public import LegoKit
public import LinuxDevices

/// Tells which processes use devices.
///
/// No privilege is needed and no device is opened. Without the right to trace them, the processes
/// of others cannot be inspected: they are counted, and a device that nobody was seen to use is
/// then *unknown* and not *free*.
///
/// Only devices with a node count: a microphone that PipeWire makes itself, such as one of Bluetooth or of
/// the network, has none, and who uses it is not told.
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
  /// - Returns: The users of each device, and how many processes could not be inspected.
  @concurrent
  public func use(of targets: [Question.Target]) async throws(DeviceError) -> UseFacts {
    try machine.use(of: targets)
  }

  /// Who uses devices: as it is now, and from then on each time somebody began or stopped.
  ///
  /// Opens and closes of the nodes say when to look, so that nothing is done between them; where
  /// they are not told, such as without the right to read a node, it looks after an interval, and
  /// each element says so. A device that comes or goes is followed, as is a path that leads nowhere
  /// yet. While the consumer is busy any number of events make one further look.
  ///
  /// A program that opens a device and closes it again within milliseconds may not be seen. One that
  /// got its descriptor from another is seen when something else makes it look, and so is one that opens
  /// another node of the same device, such as that of a container. While a PipeWire
  /// daemon has a device open, it is listened to; the programs of other media servers are looked at
  /// after an interval.
  ///
  /// - Parameters:
  ///   - targets: The devices: by paths, or all of a kind.
  ///   - byOthers: Whether what this very process has open does not count.
  ///   - interval: How long to wait before looking again at what is not told by events, at least a
  ///     millisecond.
  ///   - limit: After how long to look a last time and end; `nil` to go on until cancelled. Time
  ///     that the system sleeps counts.
  /// - Returns: The states with their differences; it fails when a path leads to something that is
  ///   not a device or is one that no system call would take, and when the processes cannot be listed. One
  ///   such path ends it before the first state of any: ask about paths that a person has typed one by one.
  public func changes(
    of targets: [Question.Target], byOthers: Bool = false, every interval: Duration = .seconds(1),
    for limit: Duration? = nil
  ) -> UseChanges {
    UseChanges(
      machine: machine, targets: targets, isByOthers: byOthers,
      interval: max(interval, .milliseconds(1)), limit: limit)
  }
}
