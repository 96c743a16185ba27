internal import AccessModel
internal import LinuxDevices

/// One request on its way from road to road.
struct RoadWalk: Sendable {
  /// What a road led to.
  struct Result: ~Copyable {
    var trial: AccessTrial
    /// What it means; `nil` where it says nothing about permission.
    var report: PermissionReport?
    var descriptor: DeviceDescriptor?
    var kind: DeviceAccess.Kind?
  }

  let machine: any Machine
  let request: AccessRequest
  let held: HeldAccesses
  /// Called with each road that is there, before it is tried.
  let progress: @Sendable (AccessRoad) -> Void

  /// Tries the roads until one leads to access.
  ///
  /// - Parameters:
  ///   - explanation: The device, as it is.
  ///   - question: What to ask of the machine when it is looked at again.
  ///   - application: The identifier under which a portal knows this program.
  /// - Returns: The answer, with every road that was tried.
  func answer(
    _ explanation: Explanation, _ question: Question, application: String?
  ) async -> AccessAnswer {
    var answer = AccessAnswer(
      request: request, trials: [], report: PermissionReport(explanation),
      explanation: explanation)
    for road in AccessRoad.allCases where request.roads.contains(road) {
      // Of a device there is nothing to create; only whoever names the road alone is told.
      if road == .creation, request.roads != [.creation] { continue }
      var result = await take(road, explanation, application, after: answer.trials)
      answer.trials.append(result.trial)
      if let report = result.report { answer.report = report }
      guard result.trial.outcome == .granted else {
        // Nobody waits for the answer any more.
        if Task.isCancelled { break }
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
    // Asked is asked, though a road that was not named could still lead there.
    if answer.report.status == .notDetermined { answer.report = answer.report.declined }
    if answer.report.answer == .refused {
      answer.settings = settings(explanation, answer, application)
    }
    return answer
  }

  private func take(
    _ road: AccessRoad, _ explanation: Explanation, _ application: String?,
    after trials: [AccessTrial]
  ) async -> Result {
    switch road {
    case .authorized:
      guard explanation.answer == .allowed else {
        return Result(trial: AccessTrial(road, .unavailable, reason: explanation.cause?.summary))
      }
      return await open(road, explanation)
    case .creation:
      return Result(
        trial: AccessTrial(road, .unavailable, reason: "Only the album can be created."))
    case .portal: return await askPortal(explanation, application)
    case .capability:
      guard explanation.status == .notDetermined else {
        let reason =
          explanation.answer == .allowed
          ? "It may be opened without raising a capability."
          : "No capability that this process may raise opens it."
        return Result(trial: AccessTrial(road, .unavailable, reason: reason))
      }
      return await open(road, explanation)
    case .broker: return await askBroker(explanation, after: trials)
    }
  }

  private func open(_ road: AccessRoad, _ explanation: Explanation) async -> Result {
    let path = explanation.path
    progress(road)
    do throws(DeviceError) {
      let descriptor = try await machine.open(path, for: explanation.wanted)
      return Result(
        trial: AccessTrial(road, .granted), report: PermissionReport(requestOf: path, errno: 0),
        descriptor: descriptor, kind: .device(path: path))
    } catch {
      guard error.code != .notADevice else {
        let report = PermissionReport(noDeviceAt: path)
        return Result(trial: AccessTrial(road, .refused, reason: report.reason), report: report)
      }
      let report = PermissionReport(requestOf: path, errno: error.errno)
      let reason = report.reason ?? "\(error)"
      let outcome: AccessTrial.Outcome =
        switch report.answer {
        case .allowed: .granted
        case .refused: .refused
        case .absent: .unavailable
        case .undetermined: .failed
        }
      return Result(trial: AccessTrial(road, outcome, reason: reason), report: report)
    }
  }

  private func watch(
    _ road: AccessRoad, _ explanation: Explanation, _ question: Question, _ application: String?
  ) -> AccessWatch {
    if road == .portal, let portal = machine.cameraPortal {
      return .portal(portal, application: application, HeldConnection())
    }
    // A camera of a kind is followed by its node: another may become the first choice.
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
