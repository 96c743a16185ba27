internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess request`.
///
/// The first line is the answer. After a refusal, the methods that were tried and a fix follow.
struct AccessAnswerText: Sendable {
  let answer: AccessAnswer
  let style: Style

  private var report: PermissionReport { answer.report }

  var text: String {
    let word = style.paint(answer.outcome.rawValue, answer.outcome.tone)
    var lines = ["\(word): \(object)\(reason.map { " \(style.dash) \($0)" } ?? "")"]
    lines += albumLines
    if answer.method != nil, let opening = answer.opening {
      lines.append("  opening it \(opening.words)")
    }
    if answer.outcome != .allowed {
      lines += answer.trials.map { "  \($0.method.rawValue): \(result(of: $0))" }
      if let settings = answer.settings {
        lines.append("  fix: \(style.safe(settings.title, limit: 512))")
        let prompt = settings.actor == .administrator ? "#" : "$"
        lines += settings.conditions.flatMap(indented)
        lines.append("    \(prompt) \(style.command(settings.command))")
        lines += settings.effects.flatMap(indented)
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func indented(_ note: String) -> [String] {
    Wrapping.lines(style.safe(note, limit: 8192), width: style.width, first: "    ", rest: "    ")
  }

  private var object: String {
    if answer.method == .portal { return "camera" }
    if case .album = answer.request.target {
      return report.path.map { style.safe($0, limit: 4096) } ?? "album"
    }
    let path = report.path ?? answer.explanation?.path
    return path.map { style.safe($0, limit: 4096) } ?? answer.explanation?.kind ?? "camera"
  }

  /// The status of each access level if the two differ, and the first pictures that cannot be read.
  private var albumLines: [String] {
    guard let album = answer.album else { return [] }
    var lines: [String] = []
    if album.addOnly.status != album.readWrite.status {
      lines.append("  add: \(album.addOnly.status.rawValue)")
      lines.append("  read-write: \(album.readWrite.status.rawValue)")
    }
    guard let contents = album.contents, !contents.unreadable.isEmpty else { return lines }
    let shown = contents.unreadable.prefix(Self.mostNames)
    lines += shown.map { "  cannot be read: \(style.safe($0, limit: 255))" }
    let rest = contents.unreadable.count - shown.count
    if rest > 0 || !contents.isComplete {
      lines.append("  and \(rest)\(contents.isComplete ? "" : " or more") others")
    }
    return lines
  }

  private static let mostNames = 8

  /// The method that gave access, or the reason for the refusal.
  private var reason: String? {
    guard let method = answer.method else {
      return answer.reason.map { style.safe($0, limit: 512) }
    }
    return switch method {
    case .authorized:
      report.reason.map { style.safe($0, limit: 512) } ?? "access was already allowed"
    case .creation: "the pictures directory was created"
    case .portal: "the portal gave access, until its stored answer is changed"
    case .capability: "a capability was raised to open it"
    case .broker: "the broker opened it, as polkit allows"
    }
  }

  private func result(of trial: AccessTrial) -> String {
    let word =
      switch trial.outcome {
      case .granted: "granted"
      case .unavailable: "not available"
      case .refused: "refused"
      case .forbidden: "forbidden"
      case .timedOut: "no answer in time"
      case .cancelled: "cancelled"
      case .withheld: "not opened; --force opens it"
      case .failed: "failed"
      }
    return word + (trial.reason.map { " \(style.dash) \(style.safe($0, limit: 512))" } ?? "")
  }
}

/// The JSON object of `devaccess request`.
struct AccessAnswerOutput: Encodable {
  /// A method that was tried.
  struct Trial: Encodable {
    let method: AccessMethod
    let outcome: String
    let reason: String?

    private enum CodingKeys: String, CodingKey {
      case method = "road"
      case outcome, reason
    }
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
  let method: AccessMethod?
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
    case kind, path, status, availability, certainty
    case method = "road"
    case term, trials, cause, reason
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
    method = answer.method
    term = answer.term?.word
    trials = answer.trials.map {
      Trial(method: $0.method, outcome: $0.outcome.word, reason: $0.reason)
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
