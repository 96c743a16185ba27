internal import AccessModel

/// The JSON object of `devaccess status`.
struct StatusOutput: Encodable {
  /// One permission.
  struct Permission: Encodable {
    let kind: String?
    let answer: Answer
    let status: PermissionStatus
    let availability: Availability
    let certainty: Certainty
    let answerCertainty: Certainty
    let path: String
    let cause: CauseOutput?
    let disagreement: String?

    private enum CodingKeys: String, CodingKey {
      case kind, answer, status, availability, certainty, path, cause, disagreement
      case answerCertainty = "answer_certainty"
    }
  }

  let schema = Schema.name
  let command = CommandName.status
  let subject: SubjectOutput?
  let permissions: [Permission]

  init(_ answers: [ExplainedFacts]) {
    subject = answers.first.map { SubjectOutput($0.facts) }
    permissions = answers.map(\.explanation).map { explanation in
      Permission(
        kind: explanation.kind, answer: explanation.answer, status: explanation.status,
        availability: explanation.availability, certainty: explanation.certainty,
        answerCertainty: explanation.answerCertainty,
        path: explanation.path, cause: explanation.cause.map(CauseOutput.init),
        disagreement: explanation.disagreement)
    }
  }
}
