public import AccessModel
public import LinuxDevices

/// The reason why access was revoked.
public enum AccessRevocation: Hashable, Sendable {
  /// The device was unplugged, or another device took its node.
  case removed
  /// The user's session is no longer the active one of its seat.
  case sessionInactive
  /// The device is now refused; the associated value is the cause, if it is known.
  case refused(CauseCode?)
  /// The stored answer is no longer yes; the associated value is `nil` if the answer was deleted.
  case storedAnswer(PortalStoredAnswer?)
  /// PipeWire ended the connection that the portal returned, for example because PipeWire
  /// restarted.
  case disconnected
}
