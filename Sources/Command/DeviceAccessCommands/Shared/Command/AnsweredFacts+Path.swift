internal import AccessModel
internal import DevicePermissions

extension AnsweredFacts {
  /// Throws an error if the requested path was mistyped or leads nowhere.
  ///
  /// Such a path gets a one-line message instead of an explanation. A device that a unit hides does
  /// exist, so it is explained. If fixes are shown, so is a missing object with a fix or a note.
  ///
  /// - Parameter showsFixes: `true` if the command shows fixes and notes.
  /// - Throws: ``CommandFailure`` with the one-line message.
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
