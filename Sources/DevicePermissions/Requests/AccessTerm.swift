/// For how long access was given.
public enum AccessTerm: String, Hashable, Sendable, Codable, CaseIterable {
  /// As long as the descriptor is open; opening it again is decided by the same rules.
  case whileOpen
  /// As long as the descriptor is open, and the next request is granted without asking until
  /// somebody changes the stored answer.
  case untilRevoked
}
