/// The outcome of a line for an event.
public struct UdevRuleOutcome: Hashable, Sendable {
  /// The result of evaluating a line.
  public enum Verdict: Hashable, Sendable {
    /// All matches of the line hold.
    case matched
    /// It is unknown whether all matches of the line hold.
    case undetermined([UdevRuleDoubt])
    /// A match of the line does not hold.
    case failed(UdevRuleMismatch)
    /// The `GOTO` of another line skipped the line.
    case skipped(by: UdevRulePlace)
    /// The line sets only values that do not exist for this kind of device or this action.
    case irrelevant
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The result of evaluating the line.
  public let verdict: Verdict
}
