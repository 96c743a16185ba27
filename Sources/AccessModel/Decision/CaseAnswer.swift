/// The answer to a case in the documented answer format, one JSON object a line.
public struct CaseAnswer: Hashable, Sendable {
  /// What the deciding check looked at.
  public struct Detail: Hashable, Sendable {
    /// The index of the access control list entry that decided.
    public var entry: Int?
    /// Whether several group entries matched and none holds all that was asked for.
    public var allMatchingGroupsLack = false
    /// The permissions that the deciding check needed.
    public var wanted: Permissions = []
    /// For a grant, every rule that would have sufficed by itself; empty when not asked for.
    public var grounds: [Rule] = []
  }

  /// The number of the case.
  public var id: Int
  /// Granted, denied with the error number of the system call, or undecided with the reason.
  public var outcome: Outcome
  /// The rule that decided; `nil` when nothing could be decided.
  public var rule: Rule?
  /// The path where it was decided.
  public var at: String?
  /// What the deciding check looked at, as far as it looked at anything.
  public var detail = Detail()

  /// The answer that a decision gives.
  public init(id: Int, _ decision: Decision) {
    self.id = id
    outcome = decision.outcome
    rule = decision.rule
    at = decision.at
    detail.entry = decision.entry
    detail.allMatchingGroupsLack = decision.allMatchingGroupsLack
    detail.wanted = decision.steps.last?.wanted ?? []
    detail.grounds = decision.grounds
  }

  /// The answer that a verdict gives; it does not list the grounds of a grant.
  public init(id: Int, _ verdict: Verdict, to request: Request, in prepared: PreparedCase) {
    self.id = id
    switch verdict.outcome {
    case .granted: outcome = .granted
    case .denied(let errno): outcome = .denied(errno: errno)
    case .undecided(let doubt):
      outcome = .undecided(
        reason: prepared.reason(doubt, at: Int32(clamping: verdict.node ?? -1)))
    }
    rule = verdict.rule
    at = prepared.location(of: verdict, request)
    detail.entry = verdict.entry
    detail.allMatchingGroupsLack = verdict.allMatchingGroupsLack
    detail.wanted = verdict.wanted
  }
}
