internal import AccessModel

/// The devices that a watch has looked at, as far as their events are received.
struct KnownDevices: Sendable {
  var devices: [LookMemory.Number: DeviceFacts] = [:]
  var lists: [String: DeviceList] = [:]
  /// What the USB bus tells of hardware without a node, by the names of kinds.
  var buses: [String: HardwareObserver.SeenOnUSB] = [:]

  /// Notes what happened to a device.
  mutating func note(_ event: DeviceEvent) {
    // A device that moves has another path from then on, which its event alone does not tie to the
    // one before.
    guard let path = event.sysfsPath, event.action != .move else {
      self = KnownDevices()
      return
    }
    if event.subsystem == DeviceKind.usb.subsystem { buses = [:] }
    for subsystem in lists.keys {
      lists[subsystem]?.note(
        changeAt: path, isOwn: subsystem == event.subsystem, isGone: event.action == .remove)
    }
    let below = path + "/"
    for (number, device) in devices
    where device.sysfsPath == path || device.sysfsPath.hasPrefix(below) {
      devices[number] = nil
    }
  }

  /// Notes that there may be other devices than those of the lists.
  mutating func noteOthers() {
    devices = [:]
    buses = [:]
    for subsystem in lists.keys { lists[subsystem]?.noteOthers() }
  }
}
