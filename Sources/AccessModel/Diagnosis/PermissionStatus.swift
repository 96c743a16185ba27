/// Whether a program may use a kind of device, in the five cases that Apple's platforms have.
///
/// Derived by deciding counterfactual facts, never from the names of groups.
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
}
