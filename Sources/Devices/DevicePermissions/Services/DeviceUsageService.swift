public import AccessModel
public import DeviceWatching
public import LegoKit
public import LinuxDevices

/// Finds the processes that use devices.
///
/// It needs no privilege and opens no device. Without the right to trace them, it cannot inspect
/// the processes of other users. It counts them, and a device without a known user is then
/// *unknown* instead of *free*.
///
/// Only devices with a node count. A microphone that PipeWire creates itself, for example for
/// Bluetooth or the network, has no node, so its users are not reported.
///
/// ```swift
/// let use = try await Contractors().deviceUsage.use(of: [.kind(.camera)])
/// for device in use.devices where use.state(of: device) == .used {
///   print(device.node, device.holders.map(\.process.name))
/// }
/// ```
public struct DeviceUsageService: Service {
  public static let contractor = DeviceUsageService()

  /// The machine to observe.
  public var machine: any Machine

  /// Creates a service that observes a machine, by default the running system.
  public init(machine: any Machine = LinuxMachine()) {
    self.machine = machine
  }

  /// Returns the processes that hold devices open, from one scan of all processes.
  ///
  /// The scan runs off the caller's executor.
  ///
  /// - Parameter targets: The devices: by paths, or all of a kind. A kind without devices adds
  ///   none.
  /// - Throws: `notADevice` if a path does not lead to a device, `unavailable` if the processes
  ///   cannot be listed.
  /// - Returns: The users of each device, and the number of processes that could not be inspected.
  @concurrent
  public func use(of targets: [Question.Target]) async throws(DeviceError) -> UseFacts {
    try machine.use(of: targets)
  }

  /// Returns the other processes that use devices, and the errors about the devices that cannot be
  /// inspected.
  ///
  /// - Parameter targets: The devices.
  /// - Throws: The errors of ``use(of:)``; an error about a path only if it is the only target.
  /// - Returns: The users, and the errors about the paths that could not be inspected.
  @concurrent
  package func useByOthers(
    of targets: [Question.Target]
  ) async throws(DeviceError) -> (facts: UseFacts, failures: [DeviceError]) {
    var rest = targets
    var failures: [DeviceError] = []
    while true {
      do throws(DeviceError) {
        return (try machine.useByOthers(of: rest), failures)
      } catch {
        guard targets.count > 1, let index = rest.firstIndex(where: error.isAbout) else {
          throw error
        }
        rest.remove(at: index)
        failures.append(error)
      }
    }
  }

  /// Returns the processes that use devices, first the current ones and then each change.
  ///
  /// Opens and closes of the nodes trigger a scan; nothing runs between them. If these events are
  /// not available, for example without the right to read a node, the sequence scans at an
  /// interval, and each element reports that. It follows devices that are connected or removed, and
  /// paths that do not exist yet. While the consumer is busy, any number of events cause one
  /// further scan.
  ///
  /// A program that opens and closes a device within milliseconds may be missed. A program that got
  /// its descriptor from another process is detected at the next scan, as is one that opens another
  /// node of the same device, such as a container's node. While a PipeWire daemon has a device
  /// open, its events are used; the programs of other media servers are scanned at an interval.
  ///
  /// - Parameters:
  ///   - targets: The devices: by paths, or all of a kind.
  ///   - byOthers: `true` to ignore the devices that this process has open.
  ///   - interval: The time between scans if events are not available, at least a millisecond.
  ///   - limit: The time until the last scan, including time during which the system is suspended;
  ///     `nil` to continue until the task is cancelled.
  /// - Returns: A sequence of states with their differences. It throws an error if a path leads to
  ///   an object that is not a device, if no system call accepts a path, or if the processes cannot
  ///   be listed. One such path ends the sequence before the first state of any device, so use one
  ///   sequence for each path that a user has typed.
  public func changes(
    of targets: [Question.Target], byOthers: Bool = false, every interval: Duration = .seconds(1),
    for limit: Duration? = nil
  ) -> UseChanges {
    UseChanges(
      machine: machine, targets: targets, isByOthers: byOthers,
      interval: max(interval, .milliseconds(1)), limit: limit)
  }
}

extension DeviceError {
  /// Returns whether the error is about the path of the target.
  fileprivate func isAbout(_ target: Question.Target) -> Bool {
    guard case .path(let typed) = target, let path else { return false }
    return path == typed || (try? LinuxMachine.absolute([target])) == [.path(path)]
  }
}
