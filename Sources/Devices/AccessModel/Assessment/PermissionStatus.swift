/// The permission of a program to use a kind of device.
///
/// Five of the cases correspond to those on Apple's platforms. They are derived by deciding
/// hypothetical changes to the facts, and never from the names of groups. On Apple's platforms, a
/// status is independent of the hardware, and the system always knows it. On Linux, a device may be
/// missing and facts may be unknown, so there are two more cases. A program must not mistake either
/// of them for a request that the user has not answered yet.
///
/// Only ``notDetermined`` indicates that a request can help.
public enum PermissionStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Access is refused now, but a request by this process can still succeed.
  case notDetermined
  /// Access is refused, and no change to modes, owners or lists would help.
  case restricted
  /// Access is refused, but a change to modes, owners or lists can help.
  case denied
  /// Everything that the permission requires is granted.
  case authorized
  /// Only a part is granted, such as reading but not writing, or some of several devices.
  case limited
  /// The device or path does not exist.
  case absent
  /// The facts are not sufficient.
  ///
  /// Never treat this as granted or as refused.
  case unknown
}
