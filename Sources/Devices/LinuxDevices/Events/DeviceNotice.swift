/// An element of a ``DeviceMonitor``.
public enum DeviceNotice: Hashable, Sendable {
  /// A device had an event.
  case event(DeviceEvent)
  /// Events may have been missed, for the given reason.
  case lost(DeviceLoss)
}
