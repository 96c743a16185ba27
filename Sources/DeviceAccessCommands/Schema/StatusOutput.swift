internal import AccessModel

/// The JSON object of `devaccess status`.
struct StatusOutput: Encodable {
  /// One permission.
  struct Permission: Encodable {
    let kind: String?
    let answer: Answer
    let status: PermissionStatus?
    let availability: Availability
    let certainty: Certainty
    let path: String
    let cause: CauseOutput?
    let disagreement: String?
  }

  let schema = Schema.name
  let command = Command.status
  let subject: SubjectOutput?
  let permissions: [Permission]

  init(_ answers: [Examination]) {
    subject = answers.first.map { SubjectOutput($0.facts) }
    permissions = answers.map(\.explanation).map { explanation in
      Permission(
        kind: explanation.kind, answer: explanation.answer, status: explanation.status,
        availability: explanation.availability, certainty: explanation.certainty,
        path: explanation.path, cause: explanation.cause.map(CauseOutput.init),
        disagreement: explanation.disagreement)
    }
  }
}
