/// The operator of a key.
public enum UdevRuleOperator: String, Hashable, Sendable, CaseIterable {
  /// The value matches.
  case equal = "=="
  /// The value does not match.
  case unequal = "!="
  /// Adds to a list.
  case add = "+="
  /// Removes from a list.
  case remove = "-="
  /// Assigns a value.
  case assign = "="
  /// Assigns a value that later lines cannot change.
  case assignFinally = ":="

  /// Whether it asks, and does not assign.
  public var isMatch: Bool { self == .equal || self == .unequal }
}
