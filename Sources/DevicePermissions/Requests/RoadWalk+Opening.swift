internal import AccessModel
internal import LinuxDevices

extension RoadWalk {
  /// Opens the device; of several of a kind one that no program uses, before one that is in use.
  ///
  /// Opening a device can wake it, so that users are looked for first. The next one is tried only where
  /// one turns out to be busy.
  ///
  /// - Parameters:
  ///   - road: The road, which says whether a capability is raised.
  ///   - facts: The device, or those of the kind.
  ///   - explanation: The same, explained.
  /// - Returns: What it led to.
  func openFree(
    _ road: AccessRoad, _ facts: AccessFacts, _ explanation: Explanation
  ) async -> Result {
    progress(road)
    guard explanation.candidates.count > 1 else { return await open(road, facts, explanation) }
    var facts = machine.observingUse(in: facts)
    // Which of them a raised capability opens is decided as if it were raised; the kernel's own
    // answers are about now.
    if road == .capability {
      facts.access = facts.access.withEffectiveCapabilities()
      facts.kernelChecks = []
    }
    var tried: Set<String> = []
    var choice = facts.explain(inFull: false)
    while true {
      let chosen = chosen(choice, road, facts, insteadOf: explanation)
      var result = await open(road, facts, chosen)
      result.explanation = chosen
      guard result.report?.availability == .busy else { return result }
      tried.insert(choice.path)
      // A stream that cannot begin speaks against the device, and is no refusal.
      facts.attempts.append(Attempt(path: choice.path, operation: .stream, errno: .busy))
      choice = facts.explain(inFull: false)
      if choice.answer != .allowed || tried.contains(choice.path) { return result }
    }
  }

  /// The explanation of the device that is opened, as it is: without a capability that is not raised.
  private func chosen(
    _ choice: Explanation, _ road: AccessRoad, _ facts: AccessFacts,
    insteadOf explanation: Explanation
  ) -> Explanation {
    guard choice.answer == .allowed, choice.path != explanation.path else { return explanation }
    guard road == .capability else { return facts.explain() }
    let question = Question(.path(choice.path), wanted: explanation.wanted)
    return (try? machine.facts(for: question).explain()) ?? explanation
  }

  private func open(
    _ road: AccessRoad, _ facts: AccessFacts, _ explanation: Explanation
  ) async -> Result {
    // No link is followed at the open itself. Nothing is raised here, so that what the link was seen to lead
    // to is no more than the caller may open anyway.
    let object = road == .authorized ? facts.access.object(at: explanation.path) : nil
    let path = object?.path ?? explanation.path
    let effect = facts.access.object(at: path).flatMap(facts.openingEffect)
    if let effect, effect.needsForce, !request.isForced {
      return Result(
        trial: AccessTrial(
          road, .withheld, reason: "\(path) was not opened, because opening it \(effect.words)."),
        // No other road makes the driver do less.
        report: PermissionReport(explanation), opening: effect)
    }
    do throws(DeviceError) {
      let descriptor = try await machine.open(path, for: explanation.wanted)
      return Result(
        trial: AccessTrial(road, .granted), report: PermissionReport(requestOf: path, errno: 0),
        descriptor: descriptor, kind: .device(path: path), opening: effect)
    } catch {
      guard error.code != .notADevice else {
        let report = PermissionReport(noDeviceAt: path)
        return Result(trial: AccessTrial(road, .refused, reason: report.reason), report: report)
      }
      let report = PermissionReport(requestOf: path, errno: error.errno)
      let reason = report.reason ?? notOpened(path, error, isBusy: report.availability == .busy)
      let outcome: AccessTrial.Outcome =
        switch report.answer {
        case .allowed: .failed
        case .refused: .refused
        case .absent: .unavailable
        case .undetermined: .failed
        }
      return Result(trial: AccessTrial(road, outcome, reason: reason), report: report)
    }
  }

  /// Why a device was not opened although it may be, as one sentence.
  private func notOpened(_ path: String, _ error: DeviceError, isBusy: Bool) -> String {
    let name = error.errno.map { " (\($0.name))" } ?? ""
    return isBusy
      ? "\(path) is busy: another program uses it\(name)."
      : "\(path) may be opened, but its driver fails\(name)."
  }
}
