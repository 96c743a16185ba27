/// The answer to a case in the documented answer format, with one JSON object per line.
public struct CaseAnswer: Hashable, Sendable {
  /// Details of the check that decided.
  public struct Detail: Hashable, Sendable {
    /// The index of the access control list entry that decided.
    public var entry: Int?
    /// A Boolean value that indicates whether several group entries match, but none has all
    /// requested permissions.
    public var allMatchingGroupsLack = false
    /// The permissions that the deciding check required.
    public var wanted: Permissions = []
    /// For a grant, every rule that would have been sufficient by itself.
    ///
    /// The array is empty if the grounds were not requested.
    public var grounds: [Rule] = []
  }

  /// The ID of the case.
  public var id: Int
  /// The outcome: granted, denied with the system call's error, or undecided with the reason.
  public var outcome: Outcome
  /// The rule that decided; `nil` if the case is undecided.
  public var rule: Rule?
  /// The path at which the case was decided.
  public var at: String?
  /// Details of the check that decided; empty if there are none.
  public var detail = Detail()

  /// Creates an answer from a decision.
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

  /// Creates an answer from a verdict, without the grounds of a grant.
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
