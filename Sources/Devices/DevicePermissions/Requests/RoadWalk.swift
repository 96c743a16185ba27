internal import AccessModel
internal import LinuxDevices

/// A request that tries one method after the other.
struct RoadWalk: Sendable {
  /// The result of one method.
  struct Result: ~Copyable {
    var trial: AccessTrial
    /// The permission that the result implies; `nil` if it implies nothing about permission.
    var report: PermissionReport?
    var descriptor: DeviceDescriptor?
    var kind: DeviceAccess.Kind?
    /// The device of the result, if it is not the first choice of the kind.
    var explanation: Explanation?
    /// The effect of opening the device.
    var opening: OpeningEffect?
  }

  let machine: any Machine
  let request: AccessRequest
  let held: HeldAccesses
  let asked: AskedPersons
  /// Called with each available method before it is tried.
  let progress: @Sendable (AccessRoad) -> Void

  /// Tries the methods until one gives access.
  ///
  /// - Parameters:
  ///   - facts: The facts of the device, or of the devices of a kind.
  ///   - explanation: The explanation of these facts.
  ///   - question: The question for later observations of the machine.
  /// - Returns: The answer, with every method that was tried.
  func answer(
    _ facts: AccessFacts, _ explanation: Explanation, _ question: Question
  ) async -> AccessAnswer {
    var explanation = explanation
    let application = PortalApplication.identifier(of: facts.confinement)
    var answer = AccessAnswer(
      request: request, trials: [], report: PermissionReport(explanation),
      explanation: explanation)
    for road in AccessRoad.allCases where request.roads.contains(road) {
      // A device cannot be created, so report this method only if it is the only one requested.
      if road == .creation, request.roads != [.creation] { continue }
      var result = await take(road, facts, explanation, application, after: answer.trials)
      answer.trials.append(result.trial)
      if let report = result.report { answer.report = report }
      if let opening = result.opening { answer.opening = opening }
      if let other = result.explanation {
        explanation = other
        answer.explanation = other
      }
      guard result.trial.outcome == .granted else {
        // Stop if the caller is no longer waiting. Also stop if the driver refuses, because no
        // other method would change that.
        if Task.isCancelled || result.report?.answer == .allowed { break }
        if result.trial.outcome == .withheld { break }
        continue
      }
      answer.road = road
      answer.term = road == .portal ? .untilRevoked : .whileOpen
      if let descriptor = result.descriptor.take(), let kind = result.kind {
        answer.token = held.keep(
          descriptor, of: AccessObject(explanation),
          DeviceAccess.Terms(
            kind: kind, road: road,
            watch: watch(road, explanation, question, application)))
      }
      return answer
    }
    // The user was asked, although a method that the request excludes could still give access.
    if answer.report.status == .notDetermined { answer.report = answer.report.declined }
    if answer.report.answer == .refused {
      if let guarded = facts.guardedObject(of: explanation) {
        answer.report = answer.report.giving(guarded.sentence)
      }
      answer.settings = settings(explanation, answer, application)
    }
    return answer
  }

  private func take(
    _ road: AccessRoad, _ facts: AccessFacts, _ explanation: Explanation, _ application: String?,
    after trials: [AccessTrial]
  ) async -> Result {
    switch road {
    case .authorized:
      guard explanation.answer == .allowed else {
        return Result(trial: AccessTrial(road, .unavailable, reason: explanation.cause?.summary))
      }
      return await openFree(road, facts, explanation)
    case .creation:
      return Result(
        trial: AccessTrial(road, .unavailable, reason: "Only the album can be created."))
    case .portal: return await askPortal(explanation, application)
    case .capability:
      guard explanation.status == .notDetermined else {
        let reason =
          explanation.answer == .allowed
          ? "The device can be opened without raising a capability."
          : "No permitted capability would give access."
        return Result(trial: AccessTrial(road, .unavailable, reason: reason))
      }
      return await openFree(road, facts, explanation)
    case .broker:
      if facts.guardedObject(of: explanation) != nil {
        return Result(
          trial: AccessTrial(
            road, .unavailable,
            reason: "The broker is not asked for a protected object."))
      }
      return await askBroker(explanation, after: trials)
    }
  }

  private func watch(
    _ road: AccessRoad, _ explanation: Explanation, _ question: Question, _ application: String?
  ) -> AccessWatch {
    if road == .portal, let portal = machine.cameraPortal {
      return .portal(portal, application: application, HeldConnection())
    }
    // The watch follows the node of the camera, because the first choice of the kind may change.
    var question = question
    question.target = .path(explanation.path)
    question.wanted = explanation.wanted
    return .device(machine, question, AccessObject(explanation), granted: explanation.status)
  }

  private func settings(
    _ explanation: Explanation, _ answer: AccessAnswer, _ application: String?
  ) -> SettingsLink? {
    let desktop = LinuxMachine.processEnvironment("XDG_CURRENT_DESKTOP")
    switch answer.trials.first(where: { $0.road == .portal })?.outcome {
    case .refused: return SettingsLink(portalAnswerOf: application, desktop: desktop)
    case .forbidden: return SettingsLink(panelOf: desktop)
    default: return SettingsLink(explanation)
    }
  }
}

extension AccessFacts {
  /// Returns the object of an explanation, if the subject must not be given access to it.
  fileprivate func guardedObject(of explanation: Explanation) -> GuardedObject? {
    guard explanation.answer == .refused else { return nil }
    return access.object(at: explanation.path).flatMap { guarded($0, for: explanation.wanted) }
  }
}
