/// Why events of devices may have been missed, so that the devices have to be looked at again.
public enum DeviceLoss: String, Hashable, Sendable, CaseIterable {
  /// The kernel dropped events, because too many waited (`ENOBUFS`).
  case overflow
  /// Events of more devices waited than are kept for a slow consumer.
  case backlog
  /// The socket failed, and another one took its place.
  case socket
  /// The system slept.
  case sleep
  /// The udev daemon was started, stopped or started again.
  case daemon
}
