internal import AccessModel
internal import DevicePermissions
internal import LegoKit
internal import LinuxDevices

extension CommandRun {
  /// Opens each device in question once and adds the results to the facts.
  ///
  /// Side effects of opening are reported on standard error.
  ///
  /// - Parameters:
  ///   - facts: The facts before the devices are opened.
  ///   - isList: `true` if every device of the kind is in question.
  ///   - isAllowed: `true` if the permissions allow access. Otherwise an open does not reach the
  ///     driver and has no side effects.
  ///   - probing: The devices to open.
  /// - Returns: The facts, with the results.
  func probed(
    _ facts: AccessFacts, isList: Bool, isAllowed: Bool, _ probing: Probing
  ) -> AccessFacts {
    if isAllowed { reportOpening(of: facts, isList: isList, probing) }
    return Contractors().devices.machine.probed(
      facts, isList: isList, isForced: probing == .forced)
  }

  /// Answers the questions of a source, and shows each answer.
  ///
  /// - Parameters:
  ///   - source: The source of the facts.
  ///   - probing: The devices to open; ignored for snapshots.
  ///   - withUse: `true` to find the users of a device if access to it is allowed.
  ///   - names: The names to look up on this machine.
  ///   - show: Shows one answer and returns its exit status; the first answer has the index 0.
  /// - Throws: `DeviceError`, ``CommandFailure`` or ``InputError`` if nothing can be observed or
  ///   read, or an error thrown by `show`.
  /// - Returns: The highest exit status.
  func showAnswers(
    from source: AnswerSource, probing: Probing, withUse: Bool = true,
    names: Question.NameLookup,
    _ show: (AnsweredFacts, Int) throws -> ExitStatus
  ) async throws -> ExitStatus {
    switch source {
    case .machine(var question):
      question.names = names
      var answer = try await Contractors().devices.answer(question, withUse: withUse)
      if probing.isOn {
        let isAllowed = answer.explanation.answer == .allowed
        answer = AnsweredFacts(
          probed(answer.facts, isList: false, isAllowed: isAllowed, probing))
      }
      return try show(answer, 0)
    case .file(let path, let wanted, let purpose, let targets):
      return try answers(
        in: try InputFile(path, standardInput: streams.input), about: targets
      ) { facts, index in
        var facts = facts
        if wanted != nil || purpose != .use { facts.ask(for: wanted, purpose: purpose) }
        return try show(AnsweredFacts(facts), index)
      }
    case .example:
      let facts = try SnapshotFile.decode(
        PackageResources.example_snapshot_json, name: "the example snapshot"
      ).get()
      return try show(AnsweredFacts(facts), 0)
    }
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

/// The devices that a command opens.
enum Probing: Hashable, Sendable {
  /// No device is opened.
  case none
  /// Devices are opened, except those where opening has side effects and requires `--force`.
  case cautious
  /// Every device is opened.
  case forced

  init(_ arguments: CommandArguments) {
    self = !arguments.contains(.probe) ? .none : arguments.contains(.force) ? .forced : .cautious
  }

  var isOn: Bool { self != .none }
}

extension CommandRun {
  /// Reports the side effects of opening devices, and the devices that are not opened.
  ///
  /// The reports are written to standard error.
  ///
  /// - Parameters:
  ///   - facts: The facts before the devices are opened.
  ///   - isList: `true` if every device of the kind is opened.
  ///   - probing: The devices that the command opens.
  func reportOpening(of facts: AccessFacts, isList: Bool, _ probing: Probing) {
    let most = 8
    let effects = facts.openingEffects(isList: isList)
    for (path, effect) in effects.prefix(most) {
      let path = Escaped(path, limit: 4096)
      streams.report(
        effect.needsForce && probing != .forced
          ? "\(path) was not opened, because opening it \(effect.words); --force opens it"
          : "opening \(path) \(effect.words)")
    }
    if effects.count > most {
      streams.report("\(effects.count - most) more devices of this kind have such an effect")
    }
  }
}

extension AnsweredFacts {
  /// Throws an error if the requested path was mistyped or leads nowhere.
  ///
  /// Such a path gets a one-line message instead of an explanation. A device that a unit hides does
  /// exist, so it is explained. If fixes are shown, a missing object that has a fix or a note is
  /// explained as well.
  ///
  /// - Parameter showsFixes: `true` if the command shows fixes and notes.
  /// - Throws: ``CommandFailure`` with the one-line message.
  func throwIfPathIsMissing(showsFixes: Bool = false) throws(CommandFailure) {
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
