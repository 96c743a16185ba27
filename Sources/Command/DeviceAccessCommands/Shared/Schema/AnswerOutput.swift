internal import AccessModel
internal import DevicePermissions

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
  /// The results of opening devices; `nil` if none was opened.
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
