public import AccessModel
public import LinuxDevices

/// Why access was taken back.
public enum AccessRevocation: Hashable, Sendable {
  /// The device was unplugged, or another one took its node.
  case removed
  /// The session of the user is no longer the active one of its seat.
  case sessionInactive
  /// The rules refuse the device now, for this reason where one is known.
  case refused(CauseCode?)
  /// The stored answer is not yes any more; `nil` where it was forgotten.
  case storedAnswer(PortalStoredAnswer?)
  /// PipeWire ended the connection that the portal gave, such as when it was started again.
  case disconnected
}
