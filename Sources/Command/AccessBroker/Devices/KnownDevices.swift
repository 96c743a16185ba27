package import AccessModel
internal import LinuxDevices
internal import Synchronization

/// The devices that the broker may open.
package enum KnownDevices {
  /// Returns the device with the given number; `nil` if the broker does not open it.
  package typealias Find = @Sendable (DeviceNumber) -> KnownDevice?

  /// Finds devices of the running system whose kind is in ``BrokerCalls/kinds``.
  ///
  /// A device is found only after udev has finished processing it, because its kind is not known
  /// before.
  package static let ofSystem = find(
    stamp: { DeviceEventStamp.current }, scan: { scan() })

  /// Returns a function that finds devices, and scans again only after a device event.
  ///
  /// - Parameters:
  ///   - stamp: Returns a value that changes with each event; `nil` if events cannot be detected.
  ///   - scan: Returns the current devices.
  /// - Returns: The function.
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

  /// The result of the last scan.
  private final class Cache<Stamp: Equatable & Sendable>: Sendable {
    private let last = Mutex<(stamp: Stamp, devices: [DeviceNumber: KnownDevice])?>(nil)

    func devices(
      _ stamp: Stamp?, _ scan: () -> [DeviceNumber: KnownDevice]
    ) -> [DeviceNumber: KnownDevice] {
      if let stamp, let known = last.withLock({ $0?.stamp == stamp ? $0?.devices : nil }) {
        return known
      }
      let devices = scan()
      // Use the stamp from before the scan: an event during the scan then causes another scan.
      last.withLock { last in last = stamp.map { ($0, devices) } }
      return devices
    }
  }
}

/// A device that the broker may open, as udev and sysfs describe it.
package struct KnownDevice: Hashable, Sendable {
  package let kind: DeviceKind
  /// The path of the node.
  package let node: String
  package let number: DeviceNumber
  /// The path in sysfs, which differs from that of a later device with the same number.
  package let sysfsPath: String
  /// The name that the device reports; untrusted.
  package let name: String?

  package init(
    kind: DeviceKind, node: String, number: DeviceNumber, sysfsPath: String, name: String?
  ) {
    self.kind = kind
    self.node = node
    self.number = number
    self.sysfsPath = sysfsPath
    self.name = name
  }

  /// The name in the form that is safe for a dialog.
  package var shownName: String { DialogText.plain(name ?? "") ?? "unnamed" }
}
