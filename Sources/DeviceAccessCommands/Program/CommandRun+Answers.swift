internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// `devaccess status`.
  func status(_ subject: SubjectWords) async throws -> ExitStatus {
    for kind in [DeviceKind.camera, .album] {
      var question = Question(
        .kind(kind), subject: subject.selector, variation: subject.variation)
      question.names = .few
      try await build(.explain(question))
    }
    let answers = store.design.answers
    if invocation.json { return try show(json: StatusOutput(answers)) }
    return try show(StatusText(answers: answers, style: style).text)
  }

  /// `devaccess check`.
  func check(
    _ source: Invocation.Source, _ patience: Patience?, quiet: Bool
  ) async throws -> ExitStatus {
    if let patience, case .machine(let question) = source {
      let isSilent = quiet || invocation.json
      return try show(check: try await wait(for: question, patience, quiet: isSilent), quiet)
    }
    return try await answer(from: source) { answer, _ in try show(check: answer, quiet) }
  }

  /// `devaccess explain`.
  func explain(_ source: Invocation.Source) async throws -> ExitStatus {
    try await answer(from: source) { answer, index in
      try show(explanation: answer, afterOthers: index > 0)
    }
  }

  private func show(check answer: Examination, _ quiet: Bool) throws -> ExitStatus {
    let status = ExitStatus(answer.explanation.answer)
    if invocation.json {
      return try show(json: CheckOutput(answer, command: .check), status)
    }
    try requirePath(answer)
    if quiet { return status }
    let text = CheckText(explanation: answer.explanation, facts: answer.facts, style: style).text
    return try show(text, status)
  }

  private func show(explanation answer: Examination, afterOthers: Bool) throws -> ExitStatus {
    let status = ExitStatus(answer.explanation.answer)
    if invocation.json {
      return try show(
        json: ExplainOutput(answer: answer, engine: invocation.container), status)
    }
    try requirePath(answer)
    let text = ExplanationText(
      explanation: answer.explanation, facts: answer.facts, style: style,
      isVerbose: invocation.isVerbose, engine: invocation.container
    ).text
    return try show((afterOthers ? "\n" : "") + text, status)
  }

  /// A path that was mistyped or leads nowhere gets one line; there is nothing to permit.
  ///
  /// A device that a unit hides is there, and what would show it is worth telling.
  private func requirePath(_ answer: Examination) throws(CommandFailure) {
    let explanation = answer.explanation
    guard explanation.kind == nil, explanation.answer == .absent,
      explanation.status != .restricted
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

  /// Shows every answer that a source holds.
  ///
  /// - Parameters:
  ///   - source: Where the facts come from.
  ///   - show: Shows one answer, the first with the index 0.
  /// - Throws: ``CommandFailure`` or ``InputError`` when there is no answer, and what showing fails
  ///   with.
  /// - Returns: The highest of the exit statuses.
  private func answer(
    from source: Invocation.Source, _ show: (Examination, Int) throws -> ExitStatus
  ) async throws -> ExitStatus {
    switch source {
    case .machine(var question):
      // A text that prints few names need not wait for all of them.
      question.names = invocation.isVerbose || invocation.json ? .all : .few
      try await build(.explain(question))
      if invocation.probes, let answer = store.design.answers.last {
        await store.build(.probe(answer.facts, isList: false)).finished()
      }
      return try show(try latestAnswer(), 0)
    case .file(let path, let wanted, let purpose):
      return try answers(in: try InputFile(path, standardInput: program.input)) { facts, index in
        var facts = facts
        if wanted != nil || purpose != .use { facts.ask(for: wanted, purpose: purpose) }
        return try show(try examine(facts), index)
      }
    case .example:
      let facts = try SnapshotFile.decode(
        PackageResources.example_snapshot_json, name: "the example snapshot"
      ).get()
      return try show(try examine(facts), 0)
    }
  }

  private func examine(_ facts: AccessFacts) throws(CommandFailure) -> Examination {
    store.build(.examine(facts))
    return try latestAnswer()
  }

  private func latestAnswer() throws(CommandFailure) -> Examination {
    guard let answer = store.design.answers.last else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return answer
  }
}

extension AccessFacts {
  /// Asks for other access to the same object.
  fileprivate mutating func ask(for wanted: Permissions?, purpose: Question.Purpose) {
    let path = access.request.path
    let type = access.object(at: path)?.type
    let kind = kind.flatMap(DeviceKind.named)
    let question = Question(kind.map { .kind($0) } ?? .path(path), wanted: wanted, purpose: purpose)
    access.request = question.request(for: path, type: type)
  }
}
