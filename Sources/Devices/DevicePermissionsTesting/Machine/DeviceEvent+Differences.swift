internal import AccessModel
internal import LinuxDevices

extension DeviceEvent {
  /// Returns the events that udev would send for the change from one machine to another.
  static func differences(
    from before: MachineDescription, to after: MachineDescription
  ) -> [DeviceEvent] {
    let old = Dictionary(uniqueKeysWithValues: before.devices.map { ($0.sysfsPath, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.devices.map { ($0.sysfsPath, $0) })
    let gone = before.devices.filter { new[$0.sysfsPath] == nil }.map { ($0, Action.remove) }
    let come = after.devices.filter { old[$0.sysfsPath] == nil }.map { ($0, Action.add) }
    let changed = after.devices.filter { device in
      guard let previous = old[device.sysfsPath] else { return false }
      let node = device.node
      return previous != device
        || node.flatMap { before.nodes[$0] } != node.flatMap { after.nodes[$0] }
    }.map { ($0, Action.change) }
    return (gone + come + changed).map { device, action in
      DeviceEvent(
        action: action, subsystem: device.subsystem, kernelName: device.kernelName,
        node: device.node)
    }
  }
}
