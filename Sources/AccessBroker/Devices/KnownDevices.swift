package import AccessModel
internal import LinuxDevices
internal import Synchronization

/// The devices that the broker may open.
package enum KnownDevices {
  /// Looks a device up by its number; `nil` for one that the broker does not open.
  package typealias Find = @Sendable (DeviceNumber) -> KnownDevice?

  /// Those of the running system, of the kinds of ``BrokerCalls/kinds``.
  ///
  /// udev must have finished with a device: before, it is not known what it is.
  package static let ofSystem = find(
    stamp: { DeviceEventStamp.current }, scan: { scan() })

  /// A lookup that scans again only after an event of a device.
  ///
  /// - Parameters:
  ///   - stamp: Changes with each event; `nil` where that cannot be told.
  ///   - scan: The devices.
  /// - Returns: The lookup.
  package static func find<Stamp: Equatable & Sendable>(
    stamp: @escaping @Sendable () -> Stamp?,
    scan: @escaping @Sendable () -> [DeviceNumber: KnownDevice]
  ) -> Find {
    let cache = Cache<Stamp>()
    return { number in cache.devices(stamp(), scan)[number] }
  }

  private static func scan() -> [DeviceNumber: KnownDevice] {
    var known: [DeviceNumber: KnownDevice] = [:]
    for kind in BrokerCalls.kinds {
      guard let devices = try? LinuxMachine().devices(of: kind) else { continue }
      for device in kind.candidates(in: devices) where device.isInitialized {
        guard let node = device.node, let number = device.number, known[number] == nil else {
          continue
        }
        known[number] = KnownDevice(
          kind: kind, node: node, number: number, sysfsPath: device.sysfsPath, name: device.name)
      }
    }
    return known
  }

  /// What the last scan has found.
  private final class Cache<Stamp: Equatable & Sendable>: Sendable {
    private let last = Mutex<(stamp: Stamp, devices: [DeviceNumber: KnownDevice])?>(nil)

    func devices(
      _ stamp: Stamp?, _ scan: () -> [DeviceNumber: KnownDevice]
    ) -> [DeviceNumber: KnownDevice] {
      if let stamp, let known = last.withLock({ $0?.stamp == stamp ? $0?.devices : nil }) {
        return known
      }
      let devices = scan()
      // What was true before the scan: an event during it has the next lookup scan again.
      last.withLock { last in last = stamp.map { ($0, devices) } }
      return devices
    }
  }
}
