internal import AccessModel
internal import DevicePermissions

/// The JSON object of `devaccess request`.
struct AccessAnswerOutput: Encodable {
  /// A method that was tried.
  struct Trial: Encodable {
    let road: AccessRoad
    let outcome: String
    let reason: String?
  }

  /// The command that changes a refusal.
  struct Settings: Encodable {
    let title: String
    let command: String
    let actor: Remedy.Actor
    let assumes: String?
    let caution: String?
    let excess: String?
  }

  /// The status of each access level of the album.
  struct Album: Encodable {
    let addOnly: PermissionStatus
    let readWrite: PermissionStatus
    let readable: [String]?
    let unreadable: [String]?
    let isComplete: Bool?

    private enum CodingKeys: String, CodingKey {
      case addOnly = "add_only"
      case readWrite = "read_write"
      case readable, unreadable
      case isComplete = "is_complete"
    }

    init(_ album: AlbumReport) {
      addOnly = album.addOnly.status
      readWrite = album.readWrite.status
      readable = album.contents?.readable
      unreadable = album.contents?.unreadable
      isComplete = album.contents?.isComplete
    }
  }

  let schema = Schema.name
  let command = CommandName.request
  let answer: Answer
  let exitStatus: Int32
  let kind: String?
  let path: String?
  let status: PermissionStatus
  let availability: Availability
  let certainty: Certainty
  let road: AccessRoad?
  let term: String?
  let trials: [Trial]
  let cause: CauseCode?
  let reason: String?
  let opening: String?
  let settings: Settings?
  let album: Album?

  private enum CodingKeys: String, CodingKey {
    case schema, command, answer
    case exitStatus = "exit_status"
    case kind, path, status, availability, certainty, road, term, trials, cause, reason
    case opening, settings, album
  }

  init(_ answer: AccessAnswer) {
    let report = answer.report
    self.answer = answer.outcome
    exitStatus = ExitStatus(answer.outcome).rawValue
    kind = answer.explanation?.kind
    path = report.path
    status = report.status
    availability = report.availability
    certainty = report.certainty
    road = answer.road
    term = answer.term?.word
    trials = answer.trials.map {
      Trial(road: $0.road, outcome: $0.outcome.word, reason: $0.reason)
    }
    cause = report.cause
    reason = answer.reason
    opening = answer.opening?.words
    settings = answer.settings.map {
      Settings(
        title: $0.title, command: $0.command, actor: $0.actor, assumes: $0.assumes,
        caution: $0.caution, excess: $0.excess)
    }
    album = answer.album.map(Album.init)
  }
}

extension AccessTerm {
  /// The name of the term in the schema.
  fileprivate var word: String {
    switch self {
    case .whileOpen: "while_open"
    case .untilRevoked: "until_revoked"
    }
  }
}

extension AccessTrial.Outcome {
  /// The name of the outcome in the schema.
  var word: String { self == .timedOut ? "timed_out" : rawValue }
}
