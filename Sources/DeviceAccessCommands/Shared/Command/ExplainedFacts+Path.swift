internal import AccessModel

extension ExplainedFacts {
  /// Fails for a path that was mistyped or leads nowhere: it gets one line, for there is nothing to
  /// permit.
  ///
  /// A device that a unit hides is there, and what would show it is worth telling; so is what would
  /// bring something back, or why it better stays away, where fixes are shown.
  ///
  /// - Parameter showsFixes: Whether they are.
  /// - Throws: The one line.
  func requirePath(showsFixes: Bool = false) throws(CommandFailure) {
    guard explanation.kind == nil, explanation.answer == .absent,
      explanation.status != .restricted,
      !showsFixes || explanation.remedies.isEmpty && explanation.note == nil
    else { return }
    let path = Escaped(explanation.path).description
    let reason: String
    if let cause = explanation.cause {
      let summary = Escaped(cause.summary, limit: 512).description
      reason = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    } else {
      reason = explanation.decision.rule?.words ?? "no such file or directory"
    }
    throw CommandFailure(reason.contains(path) ? reason : "\(path): \(reason)", .absent)
  }
}
