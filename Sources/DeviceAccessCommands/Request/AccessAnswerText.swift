internal import AccessModel
internal import DevicePermissions

/// What `devaccess request` prints: a line for the answer, and for a refusal what was tried and where
/// it is changed.
struct AccessAnswerText: Sendable {
  let answer: AccessAnswer
  let style: Style

  private var report: PermissionReport { answer.report }

  var text: String {
    let word = style.paint(report.answer.rawValue, report.answer.tone)
    var lines = ["\(word): \(object)\(reason.map { " \(style.dash) \($0)" } ?? "")"]
    if report.answer != .allowed {
      lines += answer.trials.map { "  \($0.road.rawValue): \(result(of: $0))" }
      if let settings = answer.settings {
        lines.append("  fix: \(style.safe(settings.title, limit: 512))")
        let prompt = settings.actor == .administrator ? "#" : "$"
        lines.append("    \(prompt) \(style.safe(settings.command, limit: 4096))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private var object: String {
    if answer.road == .portal { return "camera" }
    let path = report.path ?? answer.explanation?.path
    return path.map { style.safe($0, limit: 4096) } ?? "camera"
  }

  /// How it was given, or why not.
  private var reason: String? {
    guard let road = answer.road else { return report.reason.map { style.safe($0, limit: 512) } }
    guard answer.token != nil else {
      return answer.trials.last?.reason.map { style.safe($0, limit: 512) }
        ?? "it is allowed, and could not be opened"
    }
    return switch road {
    case .authorized: "it may be opened as it is"
    case .portal: "the portal gave it, until the answer that it stores is changed"
    case .capability: "a capability was raised to open it"
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
      case .failed: "failed"
      }
    return word + (trial.reason.map { " \(style.dash) \(style.safe($0, limit: 512))" } ?? "")
  }
}
