/// The operator of a key.
public enum UdevRuleOperator: String, Hashable, Sendable, CaseIterable {
  /// Holds if the value matches.
  case equal = "=="
  /// Holds if the value does not match.
  case unequal = "!="
  /// Adds to a list.
  case add = "+="
  /// Removes from a list.
  case remove = "-="
  /// Assigns a value.
  case assign = "="
  /// Assigns a value that later lines cannot change.
  case assignFinally = ":="

  /// A Boolean value that indicates whether the operator makes the key a match, not an assignment.
  public var isMatch: Bool { self == .equal || self == .unequal }
}
