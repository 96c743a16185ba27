internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// What a question depends on, without an answer.
  func observe(_ question: Question) async throws(CommandFailure) -> AccessFacts {
    try await build(.observe(question))
    guard let facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    return facts
  }

  /// Who uses devices.
  ///
  /// - Throws: ``CommandFailure`` when the only one is no device, or when nothing could be observed.
  /// - Returns: The users, and why some of several could not be looked at.
  func use(
    of targets: [Question.Target]
  ) async throws(CommandFailure) -> (facts: UseFacts, failures: [DeviceError]) {
    await store.build(.findUsers(targets)).finished()
    if let failure = store.design.devices.failure { throw CommandFailure(failure) }
    guard let use = store.design.use else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    return (use, store.design.useFailures)
  }

  /// The facts with who uses the devices in question, where that bears on the answer.
  func observingUse(in facts: AccessFacts) async -> AccessFacts {
    guard !facts.targetsOfUse.isEmpty else { return facts }
    await store.build(.observeUse(facts)).finished()
    return store.design.answers.last?.facts ?? facts
  }

  /// The facts with the results of opening each device in question once.
  ///
  /// - Parameters:
  ///   - facts: What was observed.
  ///   - isList: Whether every device of the kind is in question.
  ///   - probing: Whether devices that act when they are opened are opened, too.
  /// - Returns: The facts, with the attempts.
  func probed(_ facts: AccessFacts, isList: Bool, _ probing: Probing) async -> AccessFacts {
    // What the permissions refuse does not reach the driver.
    if isList || facts.explain(inFull: false).answer == .allowed {
      reportOpening(of: facts, isList: isList, probing)
    }
    await store.build(.probe(facts, isList: isList, isForced: probing == .forced)).finished()
    return store.design.answers.last?.facts ?? facts
  }

  /// The answer of the latest change.
  func latestAnswer() throws(CommandFailure) -> ExplainedFacts {
    guard let answer = store.design.answers.last else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return answer
  }

  /// Shows every answer that a source holds.
  ///
  /// - Parameters:
  ///   - source: Where the facts come from.
  ///   - probing: Whether the devices in question are opened; a snapshot has none.
  ///   - asksForUse: Whether a device that may be used is looked at for its users.
  ///   - looks: Which names are looked up. Each but the last is for an answer of yes alone: what
  ///     explains a refusal takes longer to find out than that there is none.
  ///   - show: Shows one answer, the first with the index 0.
  /// - Throws: ``CommandFailure`` or ``InputError`` when there is no answer, and what showing fails
  ///   with.
  /// - Returns: The highest of the exit statuses.
  func answer(
    from source: FactsSource, probing: Probing, asksForUse: Bool = true,
    looks: [Question.NameLookup],
    _ show: (ExplainedFacts, Int) throws -> ExitStatus
  ) async throws -> ExitStatus {
    switch source {
    case .machine(var question):
      for names in looks {
        question.names = names
        try await build(.explain(question))
        if try latestAnswer().explanation.answer == .allowed { break }
      }
      let answer = try latestAnswer()
      if asksForUse, answer.explanation.answer == .allowed {
        _ = await observingUse(in: answer.facts)
      }
      if probing.isOn { _ = await probed(try latestAnswer().facts, isList: false, probing) }
      return try show(try latestAnswer(), 0)
    case .file(let path, let wanted, let purpose, let targets):
      return try answers(
        in: try InputFile(path, standardInput: streams.input), about: targets
      ) { facts, index in
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

  private func examine(_ facts: AccessFacts) throws(CommandFailure) -> ExplainedFacts {
    store.build(.examine(facts))
    return try latestAnswer()
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
