/// The first match of a line that does not hold.
public struct UdevRuleMismatch: Hashable, Sendable {
  /// The match.
  public let token: UdevRuleToken
  /// The value that was found; `nil` when there is none to compare.
  public let found: UdevRuleText?
  /// The device that was asked: 0 for the device itself, 1 for its parent and so on.
  ///
  /// Of several parents this is the one that satisfies most matches of the line.
  public let device: Int
}
