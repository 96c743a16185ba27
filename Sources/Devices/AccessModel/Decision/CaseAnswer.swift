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
    self.init(id: id, prepared.decision(of: verdict, request))
    detail.wanted = verdict.wanted
  }
}

extension AccessCase {
  /// Decides the case and returns the answer in the documented format.
  ///
  /// The answer is the same as for ``decide()``, but the steps are not recorded. Recording them is
  /// most of the cost of a decision.
  public func answer() -> CaseAnswer {
    let prepared = PreparedCase(self)
    var recorder = NoRecorder()
    let progress = prepared.evaluate(request, &recorder)
    let verdict = prepared.verdict(of: progress)
    var answer = CaseAnswer(id: id, verdict, to: request, in: prepared)
    if verdict.isGranted {
      answer.detail.grounds = prepared.grounds(progress.node, progress)
    }
    return answer
  }
}

extension CaseAnswer: Codable {
  private enum Keys: String, CodingKey {
    case id
    case granted
    case errno
    case undecided
    case rule
    case at
    case detail
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    id = try values.decode(Int.self, forKey: .id)
    at = try values.decodeIfPresent(String.self, forKey: .at)
    detail = try values.decodeIfPresent(Detail.self, forKey: .detail) ?? Detail()
    if try values.decodeIfPresent(Bool.self, forKey: .undecided) ?? false {
      outcome = .undecided(reason: try values.decode(String.self, forKey: .rule))
      return
    }
    rule = try values.decodeIfPresent(Rule.self, forKey: .rule)
    let errno = Errno(rawValue: try values.decode(Int32.self, forKey: .errno))
    let isGranted = try values.decode(Bool.self, forKey: .granted)
    outcome = isGranted ? .granted : .denied(errno: errno)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encode(id, forKey: .id)
    switch outcome {
    case .granted:
      try values.encode(true, forKey: .granted)
      try values.encode(0, forKey: .errno)
    case .denied(let errno):
      try values.encode(false, forKey: .granted)
      try values.encode(errno.rawValue, forKey: .errno)
    case .undecided(let reason):
      try values.encode(true, forKey: .undecided)
      try values.encode(reason, forKey: .rule)
    }
    if case .undecided = outcome {} else { try values.encodeIfPresent(rule, forKey: .rule) }
    try values.encodeIfPresent(at, forKey: .at)
    if detail != Detail() { try values.encode(detail, forKey: .detail) }
  }
}

extension CaseAnswer.Detail: Codable {
  private enum Keys: String, CodingKey {
    case entry
    case allMatchingGroupsLack = "all_matching_groups_lack"
    case wanted
    case grounds
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Keys.self)
    entry = try values.decodeIfPresent(Int.self, forKey: .entry)
    allMatchingGroupsLack =
      try values.decodeIfPresent(Bool.self, forKey: .allMatchingGroupsLack) ?? false
    let letters = try values.decodeIfPresent(String.self, forKey: .wanted) ?? ""
    guard let wanted = Permissions(letters: letters) else {
      throw values.invalid(.wanted, "the letters of a mode are r, w and x")
    }
    self.wanted = wanted
    grounds = try values.decodeIfPresent([Rule].self, forKey: .grounds) ?? []
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Keys.self)
    try values.encodeIfPresent(entry, forKey: .entry)
    if allMatchingGroupsLack { try values.encode(true, forKey: .allMatchingGroupsLack) }
    if !wanted.isEmpty { try values.encode(wanted.letters, forKey: .wanted) }
    if !grounds.isEmpty { try values.encode(grounds, forKey: .grounds) }
  }
}
