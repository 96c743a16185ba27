/// What udevd made of a line.
public struct UdevRuleOutcome: Hashable, Sendable {
  /// Whether the line took effect.
  public enum Verdict: Hashable, Sendable {
    /// All matches hold.
    case matched
    /// Whether all matches hold is not known.
    case undetermined([UdevRuleDoubt])
    /// A match does not hold.
    case failed(UdevRuleMismatch)
    /// The `GOTO` of another line led past it.
    case skipped(by: UdevRulePlace)
    /// It sets only what this kind of device, or this action, has not.
    case irrelevant
  }

  /// The line.
  public let place: UdevRulePlace
  /// Whether it took effect.
  public let verdict: Verdict
}

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
