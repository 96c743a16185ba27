internal import AccessModel
internal import DevicePermissions
internal import LegoKit

extension CommandRun {
  /// Observes the facts that a question depends on, without answering it.
  func observe(_ question: Question) async throws(CommandFailure) -> AccessFacts {
    try await build(.observe(question))
    guard let facts = store.design.devices.facts else {
      throw CommandFailure("nothing was observed", .internalError)
    }
    return facts
  }

  /// Finds the processes that use devices.
  ///
  /// - Throws: ``CommandFailure`` if a single target is not a device, or if nothing could be
  ///   observed.
  /// - Returns: The users, and the errors for those of several targets that could not be inspected.
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

  /// Adds the users of the devices in question to the facts, if they affect the answer.
  func observingUse(in facts: AccessFacts) async -> AccessFacts {
    guard !facts.targetsOfUse.isEmpty else { return facts }
    await store.build(.observeUse(facts)).finished()
    return store.design.answers.last?.facts ?? facts
  }

  /// Opens each device in question once and adds the results to the facts.
  ///
  /// - Parameters:
  ///   - facts: The facts before the devices are opened.
  ///   - isList: `true` if every device of the kind is in question.
  ///   - probing: The devices to open.
  /// - Returns: The facts, with the results.
  func probed(_ facts: AccessFacts, isList: Bool, _ probing: Probing) async -> AccessFacts {
    // If the permissions deny access, the open does not reach the driver and has no side effects.
    if isList || facts.explain(inFull: false).answer == .allowed {
      reportOpening(of: facts, isList: isList, probing)
    }
    await store.build(.probe(facts, isList: isList, isForced: probing == .forced)).finished()
    return store.design.answers.last?.facts ?? facts
  }

  /// Returns the answer to the last question that was explained.
  ///
  /// - Throws: ``CommandFailure`` if there is no answer.
  func latestAnswer() throws(CommandFailure) -> ExplainedFacts {
    guard let answer = store.design.answers.last else {
      throw CommandFailure("there is no answer", .internalError)
    }
    return answer
  }

  /// Answers the questions of a source, and shows each answer.
  ///
  /// - Parameters:
  ///   - source: The source of the facts.
  ///   - probing: The devices to open; ignored for snapshots.
  ///   - asksForUse: `true` to find the users of a device if access to it is allowed.
  ///   - looks: The name lookups to try in order until an answer allows access. The explanation of
  ///     a refusal needs more names, which take longer to look up.
  ///   - show: Shows one answer and returns its exit status; the first answer has the index 0.
  /// - Throws: ``CommandFailure`` or ``InputError`` if there is no answer, or an error thrown by
  ///   `show`.
  /// - Returns: The highest exit status.
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
  /// Replaces the requested access to the same object.
  fileprivate mutating func ask(for wanted: Permissions?, purpose: Question.Purpose) {
    let path = access.request.path
    let type = access.object(at: path)?.type
    let kind = kind.flatMap(DeviceKind.named)
    let question = Question(kind.map { .kind($0) } ?? .path(path), wanted: wanted, purpose: purpose)
    access.request = question.request(for: path, type: type)
  }
}
