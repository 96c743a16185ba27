/// Whether a program may use a kind of device.
///
/// Five cases are those of Apple's platforms, derived by deciding counterfactual facts, never from
/// the names of groups. On those platforms a status is independent of the hardware, and the system
/// always knows it. Here neither is so, and two more cases say it: a program that asks, and then
/// looks again, must not take a missing camera or a missing fact for a question that is still open.
///
/// Only ``notDetermined`` promises that asking can help.
public enum PermissionStatus: String, Hashable, Sendable, Codable, CaseIterable {
  /// Refused now, but a request by this very process can still succeed.
  case notDetermined
  /// Refused, and no change of modes, owners or lists would help.
  case restricted
  /// Refused, and a person can change it.
  case denied
  /// All that the permission needs is granted.
  case authorized
  /// A proper part is granted: reading but not writing, or some devices of several.
  case limited
  /// There is nothing to have permission for.
  case absent
  /// The facts do not suffice to tell. Never read as granted, and never as refused.
  case unknown
}
