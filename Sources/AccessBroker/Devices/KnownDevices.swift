package import AccessModel
internal import LinuxDevices

/// The devices that the broker may open.
package enum KnownDevices {
  /// Looks a device up by its number; `nil` for one that the broker does not open.
  package typealias Find = @Sendable (DeviceNumber) -> KnownDevice?

  /// Those of the running system, of the kinds of ``BrokerCalls/kinds``.
  ///
  /// udev must have finished with a device: before, it is not known what it is.
  package static let ofSystem: Find = { number in
    for kind in BrokerCalls.kinds {
      guard let devices = try? LinuxMachine().devices(of: kind) else { continue }
      let device = kind.candidates(in: devices).first { $0.number == number }
      guard let device, device.isInitialized, let node = device.node else { continue }
      return KnownDevice(
        kind: kind, node: node, number: number, sysfsPath: device.sysfsPath, name: device.name)
    }
    return nil
  }
}
