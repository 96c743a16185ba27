internal import AccessModel

/// The inspected devices of a watch, as long as their events are received.
struct KnownDevices: Sendable {
  var devices: [LookMemory.Number: DeviceFacts] = [:]
  var lists: [String: DeviceList] = [:]
  /// The hardware without a node on the USB bus, by the names of device kinds.
  var buses: [String: HardwareObserver.SeenOnUSB] = [:]

  /// Forgets what an event may have changed.
  mutating func note(_ event: DeviceEvent) {
    // The event does not connect a moved device with its previous path, so everything is forgotten.
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

  /// Records that the lists may lack devices.
  mutating func noteOthers() {
    devices = [:]
    buses = [:]
    for subsystem in lists.keys { lists[subsystem]?.noteOthers() }
  }
}
