internal import AccessModel
internal import LinuxDevices

extension RoadWalk {
  /// Opens the device, or one of several devices of a kind, preferably one that no program is
  /// using.
  ///
  /// Opening a device can wake it, so the call first determines which devices are in use. It tries
  /// the next device only if one turns out to be busy.
  ///
  /// - Parameters:
  ///   - road: The method, which determines whether a capability is raised.
  ///   - facts: The facts of the device, or of the devices of the kind.
  ///   - explanation: The explanation of these facts.
  /// - Returns: The result of the attempt.
  func openFree(
    _ road: AccessRoad, _ facts: AccessFacts, _ explanation: Explanation
  ) async -> Result {
    progress(road)
    guard explanation.candidates.count > 1 else { return await open(road, facts, explanation) }
    var facts = machine.observingUse(in: facts)
    // If a capability will be raised, choose the device as if it were effective. The kernel's own
    // answers are about the current capabilities, so ignore them.
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
      // A stream that cannot start makes the device a worse choice, but is not a refusal.
      facts.attempts.append(Attempt(path: choice.path, operation: .stream, errno: .busy))
      choice = facts.explain(inFull: false)
      if choice.answer != .allowed || tried.contains(choice.path) { return result }
    }
  }

  /// Returns the explanation of the chosen device with the current capabilities.
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
    // The open call follows no link, so open the target that was observed. No capability is raised
    // here, so the caller can open nothing that it may not open anyway.
    let object = road == .authorized ? facts.access.object(at: explanation.path) : nil
    let path = object?.path ?? explanation.path
    let effect = facts.access.object(at: path).flatMap(facts.openingEffect)
    if let effect, effect.needsForce, !request.isForced {
      return Result(
        trial: AccessTrial(
          road, .withheld, reason: "\(path) was not opened, because opening it \(effect.words)."),
        // Opening the device with another method would have the same effect.
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

  /// Returns the reason why a device that may be opened was not opened, as one sentence.
  private func notOpened(_ path: String, _ error: DeviceError, isBusy: Bool) -> String {
    let name = error.errno.map { " (\($0.name))" } ?? ""
    return isBusy
      ? "\(path) is busy: another program uses it\(name)."
      : "\(path) may be opened, but its driver fails\(name)."
  }
}
