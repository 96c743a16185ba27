/// The duration of the access.
public enum AccessTerm: String, Hashable, Sendable, Codable, CaseIterable {
  /// The access lasts while the descriptor is open; another open is decided by the same rules.
  case whileOpen
  /// The access lasts while the descriptor is open, and later requests are granted without asking
  /// until the stored answer changes.
  case untilRevoked
}
