/// What a ``DeviceMonitor`` tells.
public enum DeviceNotice: Hashable, Sendable {
  /// Something happened to a device.
  case event(DeviceEvent)
  /// Events may have been missed.
  case lost(DeviceLoss)
}
