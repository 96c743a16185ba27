/// The reason why device events may have been missed, so that the devices must be listed again.
public enum DeviceLoss: String, Hashable, Sendable, CaseIterable {
  /// The kernel dropped events because its queue was full (`ENOBUFS`).
  case overflow
  /// A slow consumer had pending events for too many devices.
  case backlog
  /// The socket failed and was replaced.
  case socket
  /// The system was suspended.
  case sleep
  /// The udev daemon started, stopped or restarted.
  case daemon
}
