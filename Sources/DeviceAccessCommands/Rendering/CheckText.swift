internal import AccessModel

/// What `devaccess check` prints: one line.
struct CheckText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts
  let style: Style

  var text: String {
    let answer = explanation.answer
    let word = style.paint(answer.rawValue, answer.tone)
    var object = style.safe(explanation.path, limit: 4096)
    if answer == .absent, let kind = explanation.kind { object = style.safe(kind) }
    var line = "\(word): \(object)"
    if answer != .absent {
      let request = RequestText(explanation: explanation, facts: facts)
      line += " " + request.words.joined(separator: " ")
    }
    if facts.origin != nil { line += " for " + SubjectText(facts: facts, style: style).origin }
    return line + (reason.map { " \(style.dash) \($0)" } ?? "") + "\n"
      + AttemptText(facts, style: style).text
  }

  /// The cause of a refusal, what is missing or unknown, or what limits an allowance.
  private var reason: String? {
    switch explanation.answer {
    case .allowed: explanation.caveat.map { _ in "predicted, not proven" }
    case .undetermined: Self.unknown(explanation, style)
    case .refused, .absent:
      explanation.cause.map { style.safe($0.summary, limit: 512) }
        ?? explanation.decision.rule?.words ?? "the kernel refuses for a reason outside the model"
    }
  }

  /// What keeps the facts from deciding.
  static func unknown(_ explanation: Explanation, _ style: Style) -> String {
    if let disagreement = explanation.disagreement { return style.safe(disagreement, limit: 512) }
    if case .undecided(let reason) = explanation.decision.outcome {
      return style.safe(reason, limit: 512)
    }
    let layers = explanation.unobserved.map { style.safe($0.layer, limit: 64) }
    return "not observed: " + (layers.isEmpty ? "what matters" : layers.joined(separator: ", "))
  }
}
