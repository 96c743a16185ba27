internal import AccessModel
internal import DevicePermissions

/// The output of `devaccess status`: one line per kind, and commands that show more.
struct StatusText: Sendable {
  let entries: [StatusEntry]
  /// The subject, which the suggested commands select with the same options.
  let subject: SubjectOptions
  let style: Style

  var text: String {
    var columns = Columns()
    columns.add(["KIND", "STATUS", "DEVICE", "CERTAINTY"], tone: .heading)
    for entry in entries {
      let explanation = entry.known?.explanation
      columns.add([
        (style.safe(entry.kind.name, limit: 32), .heading),
        (
          (explanation?.status ?? .unknown).rawValue,
          (explanation?.answer ?? .undetermined).tone
        ),
        ((explanation?.availability ?? .unknown).rawValue, nil),
        (certainty(of: explanation), nil),
      ])
    }
    let rows = columns.lines(style: style)
    let widths = rows.map { Wrapping.width($0) }
    let column = (widths.max() ?? 0) + 2
    var lines: [String] = []
    let answers = entries.compactMap(\.known)
    if let facts = answers.first?.facts, facts.origin != nil {
      lines.append("for " + SubjectText(facts: facts, style: style).origin)
    }
    func add(_ text: String, at row: Int) {
      let padding = String(repeating: " ", count: column - widths[row])
      lines += Wrapping.lines(
        text, width: style.width, first: rows[row] + padding,
        rest: String(repeating: " ", count: column))
    }
    add(style.paint("REASON", .heading), at: 0)
    for (index, entry) in entries.enumerated() {
      add(
        entry.known.map { reason($0.explanation) } ?? entry.failure?.message ?? "", at: index + 1)
    }
    let unclear = answers.filter { $0.explanation.answer != .allowed }
    if !unclear.isEmpty { lines.append("") }
    let options = subject.words.map { " " + style.command($0.shellQuoted) }.joined()
    lines += unclear.map { answer in
      "See: devaccess explain \(style.safe(answer.explanation.kind ?? "", limit: 32))\(options)"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the certainty of the answer; empty if access is allowed and no layer seems to deny it.
  private func certainty(of explanation: Explanation?) -> String {
    guard let explanation else { return Certainty.undecided.rawValue }
    let isPlain = explanation.answer == .allowed && explanation.doubts.isEmpty
    return isPlain && explanation.certainty == .predicted ? "" : explanation.certainty.rawValue
  }

  private func reason(_ explanation: Explanation) -> String {
    if let disagreement = explanation.disagreement { return style.safe(disagreement, limit: 512) }
    if let cause = explanation.cause { return style.safe(cause.summary, limit: 512) }
    if case .undecided(let reason) = explanation.decision.outcome {
      return style.safe(reason, limit: 512)
    }
    let path = style.safe(explanation.path)
    return OccupationText(explanation, style).remark.map { "\(path), \($0)" } ?? path
  }
}
