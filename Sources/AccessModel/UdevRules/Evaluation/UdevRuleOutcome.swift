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
