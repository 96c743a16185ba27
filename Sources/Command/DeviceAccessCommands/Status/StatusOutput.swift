internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess status`.
struct StatusOutput: Encodable {
  /// The status of one kind.
  struct Permission: Encodable {
    let kind: String?
    let answer: Answer
    let status: PermissionStatus
    let availability: Availability
    let certainty: Certainty
    let answerCertainty: Certainty
    /// The path; `nil` if nothing could be observed.
    let path: String?
    let cause: CauseOutput?
    let disagreement: String?
    /// The error message if nothing could be observed.
    let error: String?

    private enum CodingKeys: String, CodingKey {
      case kind, answer, status, availability, certainty, path, cause, disagreement, error
      case answerCertainty = "answer_certainty"
    }

    init(_ entry: StatusEntry) {
      kind = entry.kind.name
      let explanation = entry.known?.explanation
      answer = explanation?.answer ?? .undetermined
      status = explanation?.status ?? .unknown
      availability = explanation?.availability ?? .unknown
      certainty = explanation?.certainty ?? .undecided
      answerCertainty = explanation?.answerCertainty ?? .undecided
      path = explanation?.path
      cause = explanation?.cause.map(CauseOutput.init)
      disagreement = explanation?.disagreement
      error = entry.failure?.message
    }
  }

  let schema = Schema.name
  let command = CommandName.status
  let exitStatus: Int32
  let subject: SubjectOutput?
  let permissions: [Permission]

  private enum CodingKeys: String, CodingKey {
    case schema, command
    case exitStatus = "exit_status"
    case subject, permissions
  }

  init(_ entries: [StatusEntry], _ status: ExitStatus) {
    exitStatus = status.rawValue
    subject = entries.lazy.compactMap(\.known).first.map { SubjectOutput($0.facts) }
    permissions = entries.map(Permission.init)
  }
}
