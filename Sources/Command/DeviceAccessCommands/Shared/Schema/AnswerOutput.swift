internal import AccessModel
internal import DevicePermissions
internal import JSONText

/// The JSON object of `devaccess check`, which the object of `devaccess explain` extends.
struct AnswerOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  let answer: Answer
  let exitStatus: Int32
  let kind: String?
  let path: String
  let subject: SubjectOutput
  let wanted: [String]
  let status: PermissionStatus
  let availability: Availability
  let certainty: Certainty
  let answerCertainty: Certainty
  let rule: Rule?
  let at: String?
  let cause: CauseOutput?
  let disagreement: String?
  /// The results of the attempts to open devices; `nil` if there were none.
  let attempts: [AttemptOutput]?
  /// The state of the device's use; `nil` if the users were not scanned.
  let occupation: Occupation?
  let holders: [HolderOutput]?

  private enum CodingKeys: String, CodingKey {
    case schema, command, answer, kind, path, subject, wanted, status, availability, certainty,
      rule, at
    case cause, disagreement, attempts, occupation, holders
    case exitStatus = "exit_status"
    case answerCertainty = "answer_certainty"
  }

  /// Creates the output.
  ///
  /// - Parameters:
  ///   - answer: The answer.
  ///   - command: The command that prints the answer.
  ///   - needsFree: `true` if the device must also be free of other programs.
  init(_ answer: AnsweredFacts, command: CommandName, needsFree: Bool = false) {
    let explanation = answer.explanation
    self.command = command
    self.answer = needsFree ? explanation.answerIfFree : explanation.answer
    exitStatus = ExitStatus(self.answer).rawValue
    kind = explanation.kind
    path = explanation.path
    subject = SubjectOutput(answer.facts)
    let type = RequestText(explanation: explanation, facts: answer.facts).type
    wanted = explanation.wanted.words(for: type)
    status = explanation.status
    availability = explanation.availability
    certainty = explanation.certainty
    answerCertainty = explanation.answerCertainty
    rule = explanation.decision.rule
    at = explanation.decision.at
    cause = explanation.cause.map(CauseOutput.init)
    disagreement = explanation.disagreement
    attempts = AttemptOutput.all(answer.facts.attempts)
    occupation = explanation.occupation
    holders = explanation.use.map(HolderOutput.all)
  }
}

/// The subject of an answer as JSON: its origin and its credentials.
struct SubjectOutput: Encodable {
  let facts: AccessFacts

  init(_ facts: AccessFacts) {
    self.facts = facts
  }

  private enum CodingKeys: String, CodingKey {
    case origin, name, pid, source, variations, uid, gid, groups, effective
    case isHypothetical = "hypothetical"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let origin = facts.origin ?? SubjectOrigin(.ownProcess)
    try container.encode(origin.kind, forKey: .origin)
    try container.encodeIfPresent(origin.name ?? facts.account.user, forKey: .name)
    try container.encodeIfPresent(origin.pid, forKey: .pid)
    try container.encodeIfPresent(origin.source, forKey: .source)
    try container.encode(origin.isHypothetical, forKey: .isHypothetical)
    try container.encode(origin.variations, forKey: .variations)
    let subject = facts.access.subject
    if subject.unobserved.isDisjoint(with: [.ids, .dynamicIDs]) {
      try container.encode(subject.fsuid, forKey: .uid)
      try container.encode(subject.fsgid, forKey: .gid)
    }
    if !subject.unobserved.contains(.groups) {
      try container.encode(subject.groups, forKey: .groups)
    }
    if !subject.unobserved.contains(.capabilities) {
      try container.encode(subject.effective, forKey: .effective)
    }
  }
}

/// A cause as JSON.
struct CauseOutput: Encodable {
  let code: CauseCode
  let summary: String
  let at: String?
  let proven: Bool

  init(_ cause: Cause) {
    code = cause.code
    summary = cause.summary
    at = cause.at
    proven = cause.isProven
  }
}

/// The result of opening a device, as JSON.
struct AttemptOutput: Encodable {
  let path: String
  let operation: Attempt.Operation
  let systemCall: String?
  let flags: [OpenFlag]?
  /// The name of the error; `nil` if the attempt succeeded.
  let error: String?

  private enum CodingKeys: String, CodingKey {
    case path, operation, flags, error
    case systemCall = "system_call"
  }

  init(_ attempt: Attempt) {
    path = attempt.path
    operation = attempt.operation
    systemCall = attempt.systemCall
    flags = attempt.flags?.sorted { $0.rawValue < $1.rawValue }
    error = attempt.errno == 0 ? nil : attempt.errno.name
  }

  /// Returns the output for all attempts; `nil` if there are none.
  static func all(_ attempts: [Attempt]) -> [AttemptOutput]? {
    attempts.isEmpty ? nil : attempts.map(AttemptOutput.init)
  }
}

/// The JSON object of a command that failed.
struct ErrorOutput: Encodable {
  let schema = Schema.name
  let command: CommandName
  /// The error message, on one line.
  let error: String
  let exitStatus: Int32

  private enum CodingKeys: String, CodingKey {
    case schema, command, error
    case exitStatus = "exit_status"
  }
}

/// A JSON object that maps IDs to names, sorted by ID.
struct NumberedNames: Encodable {
  let names: [UInt32: String]

  init(_ names: [UInt32: String]) {
    self.names = names
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    for (number, name) in names.sorted(by: { $0.key < $1.key }) {
      try container.encode(name, forKey: JSONKey(stringValue: String(number)))
    }
  }
}

/// The schema of the JSON output, which `Documentation/devaccess.schema.json` describes.
///
/// A version may add members. Renaming a member, removing it or changing its meaning requires a new
/// version.
enum Schema {
  static let name = "devaccess/1"
}
