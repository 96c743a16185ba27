/// The first match of a line that fails.
public struct UdevRuleMismatch: Hashable, Sendable {
  /// The match.
  public let token: UdevRuleToken
  /// The value that was found; `nil` if there is no value to compare.
  public let found: UdevRuleText?
  /// The index of the device that was compared: 0 is the device itself, 1 is its parent, and so on.
  ///
  /// For a match on parents, it is the device that satisfies most matches of the line before one
  /// fails.
  public let device: Int

  package init(token: UdevRuleToken, found: UdevRuleText?, device: Int) {
    self.token = token
    self.found = found
    self.device = device
  }
}
