internal import AccessModel

/// What `devaccess status` prints: a line for each permission, and where to learn more.
struct StatusText: Sendable {
  let answers: [Examination]
  let style: Style

  var text: String {
    var columns = Columns()
    for answer in answers {
      let explanation = answer.explanation
      columns.add([
        (style.safe(explanation.kind ?? "", limit: 32), .heading),
        (explanation.status.rawValue, explanation.answer.tone),
        (explanation.availability.rawValue, nil), (explanation.certainty.rawValue, nil),
        (reason(explanation), nil),
      ])
    }
    var lines: [String] = []
    if let facts = answers.first?.facts, facts.origin != nil {
      lines.append("for " + SubjectText(facts: facts, style: style).origin)
    }
    lines += columns.lines(style: style)
    let unclear = answers.filter { $0.explanation.answer != .allowed }
    if !unclear.isEmpty { lines.append("") }
    lines += unclear.map { answer in
      "To learn more: devaccess explain \(style.safe(answer.explanation.kind ?? "", limit: 32))"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func reason(_ explanation: Explanation) -> String {
    if let disagreement = explanation.disagreement { return style.safe(disagreement) }
    if let cause = explanation.cause { return style.safe(cause.summary) }
    if case .undecided(let reason) = explanation.decision.outcome { return style.safe(reason) }
    let rule = explanation.decision.rule.map { " by \($0.rawValue)" } ?? ""
    return style.safe(explanation.path) + rule
  }
}
