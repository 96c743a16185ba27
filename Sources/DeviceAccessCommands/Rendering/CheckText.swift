internal import AccessModel

/// What `devaccess check` prints: one line.
struct CheckText: Sendable {
  let explanation: Explanation
  let facts: AccessFacts
  let style: Style

  var text: String {
    let answer = explanation.answer
    let word = style.paint(answer.rawValue, answer.tone)
    let type = facts.access.nodes.first { $0.path == explanation.path }?.type
    let creates = facts.access.request.creates && type == nil
    let wanted =
      creates ? "create" : explanation.wanted.words(for: type).joined(separator: " ")
    var object = style.safe(explanation.path, limit: 4096)
    if answer == .absent, let kind = explanation.kind { object = style.safe(kind) }
    var line = "\(word): \(object)"
    if answer != .absent { line += " \(wanted)" }
    if facts.origin != nil { line += " for " + SubjectText(facts: facts, style: style).origin }
    return line + " \(style.dash) \(reason(answer))\n" + AttemptText(facts, style: style).text
  }

  /// The rule that decided and where; for what is missing or unknown, why.
  private func reason(_ answer: Answer) -> String {
    let decision = explanation.decision
    switch answer {
    case .absent:
      return explanation.cause.map { style.safe($0.summary, limit: 512) } ?? "there is nothing"
    case .undetermined:
      if let disagreement = explanation.disagreement { return style.safe(disagreement, limit: 512) }
      if case .undecided(let reason) = decision.outcome { return style.safe(reason, limit: 512) }
      let layers = explanation.unobserved.map { style.safe($0.layer, limit: 64) }
      return "not observed: " + (layers.isEmpty ? "what matters" : layers.joined(separator: ", "))
    case .allowed, .refused:
      let rule = decision.rule?.rawValue ?? "the kernel's own check, for a reason outside the model"
      return rule + (decision.at.map { " at " + style.safe($0, limit: 4096) } ?? "")
    }
  }
}
