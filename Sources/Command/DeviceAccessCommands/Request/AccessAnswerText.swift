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
    if answer.road != nil, let opening = answer.opening {
      lines.append("  opening it \(opening.words)")
    }
    if answer.outcome != .allowed {
      lines += answer.trials.map { "  \($0.road.rawValue): \(result(of: $0))" }
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
    if answer.road == .portal { return "camera" }
    if case .album = answer.request.target {
      return report.path.map { style.safe($0, limit: 4096) } ?? "album"
    }
    let path = report.path ?? answer.explanation?.path
    return path.map { style.safe($0, limit: 4096) } ?? answer.explanation?.kind ?? "camera"
  }

  /// The status of the access levels if it differs, and the first pictures that cannot be read.
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
    guard let road = answer.road else { return answer.reason.map { style.safe($0, limit: 512) } }
    return switch road {
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
