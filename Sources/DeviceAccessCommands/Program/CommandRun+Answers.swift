internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// `devaccess status`.
  func status() async throws -> ExitStatus {
    for kind in [DeviceKind.camera, .album] {
      try await build(.explain(Question(.kind(kind))))
    }
    let answers = store.design.answers
    if invocation.json { return try show(json: StatusOutput(answers.map(\.explanation))) }
    return try show(StatusText(answers: answers, style: style).text)
  }

  /// `devaccess check`.
  func check(_ source: Invocation.Source, quiet: Bool) async throws -> ExitStatus {
    let answer = try await answer(from: source)
    let conclusion = Conclusion(answer.explanation)
    if invocation.json {
      return try show(json: CheckOutput(answer, command: .check), conclusion.exitStatus)
    }
    try requirePath(answer)
    if quiet { return conclusion.exitStatus }
    let text = CheckText(explanation: answer.explanation, facts: answer.facts, style: style).text
    return try show(text, conclusion.exitStatus)
  }

  /// `devaccess explain`.
  func explain(_ source: Invocation.Source) async throws -> ExitStatus {
    let answer = try await answer(from: source)
    let conclusion = Conclusion(answer.explanation)
    if invocation.json {
      return try show(json: ExplainOutput(answer: answer, engine: invocation.container), conclusion.exitStatus)
    }
    try requirePath(answer)
    let text = ExplanationText(
      explanation: answer.explanation, facts: answer.facts, style: style,
      engine: invocation.container
    ).text
    return try show(text, conclusion.exitStatus)
  }

  /// A path that was mistyped or leads nowhere gets one line; there is nothing to permit.
  private func requirePath(_ answer: Answer) throws(CommandFailure) {
    let explanation = answer.explanation
    guard explanation.kind == nil, Conclusion(explanation) == .absent else { return }
    let path = Escaped(explanation.path).description
    let reason: String
    if let cause = explanation.cause {
      let summary = Escaped(cause.summary, limit: 512).description
      reason = summary.hasSuffix(".") ? String(summary.dropLast()) : summary
    } else {
      reason = explanation.decision.rule?.words ?? "there is nothing"
    }
    throw CommandFailure(reason.contains(path) ? reason : "\(path): \(reason)", .absent)
  }

  private func answer(from source: Invocation.Source) async throws -> Answer {
    switch source {
    case .machine(let question):
      try await build(.explain(question))
      if invocation.probes, let answer = store.design.answers.last {
        await store.build(.attempt(answer)).finished()
      }
    case .file(let path, let wanted, let purpose):
      let file = try InputFile(path, standardInput: program.input)
      var facts = try SnapshotFile.read(file)
      if wanted != nil || purpose != .use { facts.ask(for: wanted, purpose: purpose) }
      await store.build(.examine(facts)).finished()
    case .example:
      let facts = try SnapshotFile.decode(
        PackageResources.example_snapshot_json, name: "the example snapshot")
      await store.build(.examine(facts)).finished()
    }
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
    let type = access.nodes.first { $0.path == path }?.type
    let kind = kind.flatMap(DeviceKind.named)
    let question = Question(kind.map { .kind($0) } ?? .path(path), wanted: wanted, purpose: purpose)
    access.request = question.request(for: path, type: type)
  }
}
