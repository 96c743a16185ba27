internal import AccessModel
internal import DevicePermissions

/// The lines of `devaccess watch` that report answers.
struct AnswerEvents {
  let changes: AnswerChanges
  /// A Boolean value that indicates whether several questions are answered.
  let isOfSeveral: Bool
  let run: CommandRun
  let takers: WatchedEvent.EventConsumers

  /// Passes each answer to a closure, along with whether another one is already available.
  ///
  /// If the closure is slow, intermediate answers may be skipped, but never the latest one.
  func report(to body: (WatchedEvent, _ hasMore: Bool) throws -> Void) async throws {
    var gaps = GapReport(run)
    var answers = changes.makeAsyncIterator()
    while let change = try await answers.next() {
      gaps.report(change.gaps)
      let now = Timestamp.now
      try body(
        WatchedEvent(
          for: takers,
          text: WatchText(
            change: change, time: now, style: run.style, isOneOfSeveral: isOfSeveral
          ).text,
          json: WatchOutput(change, at: now), variables: variables(change, now)),
        answers.hasMore)
    }
  }

  private func variables(
    _ change: AnswerChange, _ time: Timestamp
  ) -> KeyValuePairs<String, String?> {
    let explanation = change.explanation
    return [
      "EVENT": "answer",
      "TIME": time.text,
      "PATH": explanation.path,
      "KIND": explanation.kind,
      "NAME": explanation.device?.name.map { Escaped($0).description },
      "ANSWER": explanation.answer.rawValue,
      "BEFORE": change.before?.answer.rawValue,
      "RULE": explanation.decision.rule?.rawValue,
      "REASON": change.differences.first.map { Escaped($0.text, limit: 512).description },
    ]
  }
}
