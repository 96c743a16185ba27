internal import AccessModel
internal import DeviceWatching
internal import LinuxDevices

/// A request that tries one method after the other.
struct AccessMethodRequest: Sendable {
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
  let asked: PendingQuestions
  /// Called with each available method before it is tried.
  let progress: @Sendable (AccessMethod) -> Void

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
    for method in AccessMethod.allCases where request.methods.contains(method) {
      // A device cannot be created, so report this method only if it is the only one requested.
      if method == .creation, request.methods != [.creation] { continue }
      var result = await take(method, facts, explanation, application, after: answer.trials)
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
      answer.method = method
      answer.term = method == .portal ? .untilRevoked : .whileOpen
      if let descriptor = result.descriptor.take(), let kind = result.kind {
        answer.token = held.keep(
          descriptor, of: AccessObject(explanation),
          DeviceAccess.Terms(
            kind: kind, method: method,
            watch: watch(method, explanation, question, application)))
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
    _ method: AccessMethod, _ facts: AccessFacts, _ explanation: Explanation,
    _ application: String?,
    after trials: [AccessTrial]
  ) async -> Result {
    switch method {
    case .authorized:
      guard explanation.answer == .allowed else {
        return Result(trial: AccessTrial(method, .unavailable, reason: explanation.cause?.summary))
      }
      return await openFree(method, facts, explanation)
    case .creation:
      return Result(
        trial: AccessTrial(method, .unavailable, reason: "Only the album can be created."))
    case .portal: return await askPortal(explanation, application)
    case .capability:
      guard explanation.status == .notDetermined else {
        let reason =
          explanation.answer == .allowed
          ? "The device can be opened without raising a capability."
          : "No permitted capability would give access."
        return Result(trial: AccessTrial(method, .unavailable, reason: reason))
      }
      return await openFree(method, facts, explanation)
    case .broker:
      if facts.guardedObject(of: explanation) != nil {
        return Result(
          trial: AccessTrial(
            method, .unavailable,
            reason: "The broker is not asked for a protected object."))
      }
      return await askBroker(explanation, after: trials)
    }
  }

  private func watch(
    _ method: AccessMethod, _ explanation: Explanation, _ question: Question, _ application: String?
  ) -> AccessWatch {
    if method == .portal, let portal = machine.cameraPortal {
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
    switch answer.trials.first(where: { $0.method == .portal })?.outcome {
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

extension AccessMethodRequest {
  /// Opens the device, or one of several devices of a kind, preferably one that no program is
  /// using.
  ///
  /// Opening a device can wake it, so the call first determines which devices are in use. It tries
  /// the next device only if one turns out to be busy.
  ///
  /// - Parameters:
  ///   - method: The method, which determines whether a capability is raised.
  ///   - facts: The facts of the device, or of the devices of the kind.
  ///   - explanation: The explanation of these facts.
  /// - Returns: The result of the attempt.
  func openFree(
    _ method: AccessMethod, _ facts: AccessFacts, _ explanation: Explanation
  ) async -> Result {
    progress(method)
    guard explanation.candidates.count > 1 else { return await open(method, facts, explanation) }
    var facts = machine.observingUse(in: facts)
    // If a capability will be raised, choose the device as if it were effective. The kernel's own
    // answers are about the current capabilities, so ignore them.
    if method == .capability {
      facts.access = facts.access.withEffectiveCapabilities()
      facts.kernelChecks = []
    }
    var tried: Set<String> = []
    var choice = facts.explain(.brief)
    while true {
      let chosen = chosen(choice, method, facts, insteadOf: explanation)
      var result = await open(method, facts, chosen)
      result.explanation = chosen
      guard result.report?.availability == .busy else { return result }
      tried.insert(choice.path)
      // A stream that cannot start makes the device a worse choice, but is not a refusal.
      facts.attempts.append(Attempt(path: choice.path, operation: .stream, errno: .busy))
      choice = facts.explain(.brief)
      if choice.answer != .allowed || tried.contains(choice.path) { return result }
    }
  }

  /// Returns the explanation of the chosen device with the current capabilities.
  private func chosen(
    _ choice: Explanation, _ method: AccessMethod, _ facts: AccessFacts,
    insteadOf explanation: Explanation
  ) -> Explanation {
    guard choice.answer == .allowed, choice.path != explanation.path else { return explanation }
    guard method == .capability else { return facts.explain() }
    let question = Question(.path(choice.path), wanted: explanation.wanted)
    return (try? machine.facts(for: question).explain()) ?? explanation
  }

  private func open(
    _ method: AccessMethod, _ facts: AccessFacts, _ explanation: Explanation
  ) async -> Result {
    // The open call follows no link, so open the target that was observed. No capability is raised
    // here, so the caller can open only what it is permitted to open anyway.
    let object = method == .authorized ? facts.access.object(at: explanation.path) : nil
    let path = object?.path ?? explanation.path
    let effect = facts.access.object(at: path).flatMap(facts.openingEffect)
    if let effect, effect.needsForce, !request.isForced {
      return Result(
        trial: AccessTrial(
          method, .withheld, reason: "\(path) was not opened, because opening it \(effect.words)."),
        // Opening the device with another method would have the same effect.
        report: PermissionReport(explanation), opening: effect)
    }
    do throws(DeviceError) {
      let descriptor = try await machine.open(path, for: explanation.wanted)
      return Result(
        trial: AccessTrial(method, .granted), report: PermissionReport(requestOf: path, errno: 0),
        descriptor: descriptor, kind: .device(path: path), opening: effect)
    } catch {
      guard error.code != .notADevice else {
        let report = PermissionReport(noDeviceAt: path)
        return Result(trial: AccessTrial(method, .refused, reason: report.reason), report: report)
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
      return Result(trial: AccessTrial(method, outcome, reason: reason), report: report)
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

extension AccessMethodRequest {
  /// Asks the portal, if one exists and it could have the requested camera.
  func askPortal(_ explanation: Explanation, _ application: String?) async -> Result {
    func none(_ reason: String) -> Result {
      Result(trial: AccessTrial(.portal, .unavailable, reason: reason))
    }
    guard explanation.requestableKind == .camera else {
      return none("The portal is only for cameras.")
    }
    let isAlone = request.methods == [.portal]
    guard explanation.answer != .allowed || isAlone else {
      return none("The device can already be opened.")
    }
    guard let portal = machine.cameraPortal else { return none("There is no camera portal.") }
    let status = await status(of: portal, application)
    guard status.isReachable else {
      guard case .unread(let reason) = status.permission else {
        return none("There is no camera portal.")
      }
      return none("The camera portal cannot be asked: \(reason).")
    }
    // If the caller requested only the portal, ask it even if it does not see a camera yet.
    guard explanation.answer != .absent || status.isCameraPresent == true || isAlone else {
      return none("The portal has no camera either.")
    }
    progress(.portal)
    let question = PortalRequest(application: request.application, timeout: request.timeout)
    let outcome: PortalOutcome
    var remote: DeviceDescriptor?
    switch await asked.byPortal.turn(to: question) {
    case .answered(let other): outcome = other
    case .cancelled: outcome = .cancelled
    case .ask(let waited):
      var rest = question
      rest.timeout -= waited
      let reply = await portal.request(rest)
      outcome = reply.outcome
      asked.byPortal.end(question, with: outcome.isOfAll ? outcome : nil)
      remote = reply.takeDescriptor()
    }
    guard outcome == .granted, let remote = remote.take() else {
      return refusal(outcome, await self.status(of: portal, application).permission)
    }
    return Result(
      trial: AccessTrial(.portal, .granted), report: PermissionReport(grantedByPortal: .proven),
      descriptor: remote, kind: .pipeWire)
  }

  /// Reads the status off the caller's executor, because the call blocks.
  @concurrent
  private func status(
    of portal: any CameraPortal, _ application: String?
  ) async -> PortalStatus {
    portal.status(of: application)
  }

  /// Returns the result of a request that was not granted.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the request.
  ///   - permission: The answer that is stored now.
  /// - Returns: The result of asking the portal.
  private func refusal(_ outcome: PortalOutcome, _ permission: PortalPermission) -> Result {
    func ended(
      _ outcome: AccessTrial.Outcome, _ reason: String?, _ report: PermissionReport? = nil
    ) -> Result {
      Result(trial: AccessTrial(.portal, outcome, reason: reason), report: report)
    }
    switch outcome {
    case .refused, .withheld:
      let report = PermissionReport(refusedByPortal: permission)
      return ended(.refused, report.reason, report)
    case .forbidden:
      return ended(.forbidden, PermissionReport.forbiddenByDesktop.reason, .forbiddenByDesktop)
    default:
      let (outcome, reason) = outcome.end(of: "camera portal")
      return ended(outcome, reason)
    }
  }
}

extension PortalOutcome {
  /// Returns the outcome of a method that asked a portal, with the reason as one sentence.
  ///
  /// - Parameter portal: The words for the portal.
  /// - Returns: The outcome; without a reason if each portal words it differently.
  func end(of portal: String) -> (outcome: AccessTrial.Outcome, reason: String?) {
    switch self {
    case .granted: (.failed, "The portal returned no descriptor.")
    case .refused: (.refused, nil)
    case .interrupted: (.refused, "The dialog ended without an answer.")
    case .forbidden, .withheld: (.forbidden, "The desktop settings forbid it.")
    case .absent(let reason): (.unavailable, "There is no \(portal): \(reason).")
    case .timedOut: (.timedOut, "The dialog timed out without an answer.")
    case .cancelled: (.cancelled, nil)
    case .failed(let reason): (.failed, "The portal failed: \(reason).")
    }
  }
}

extension AccessMethodRequest {
  /// Asks the broker to open the device, if a broker exists and the device is refused.
  ///
  /// - Parameters:
  ///   - explanation: The current access to the device.
  ///   - trials: The previous attempts.
  /// - Returns: The result of the attempt.
  func askBroker(_ explanation: Explanation, after trials: [AccessTrial]) async -> Result {
    func ended(_ outcome: AccessTrial.Outcome, _ reason: String? = nil) -> Result {
      Result(trial: AccessTrial(.broker, outcome, reason: reason))
    }
    guard explanation.answer == .refused else {
      return ended(
        .unavailable, "The broker is asked only if access to an existing device is refused.")
    }
    // The broker must not bypass the confinement of this program.
    guard explanation.status != .restricted else {
      return ended(.unavailable, "No user may open the device here, so the broker is not asked.")
    }
    guard let question = BrokerRequest(explanation, timeout: request.timeout) else {
      return ended(.unavailable, "The broker is only for devices.")
    }
    // An administrator is not asked about a request that the user has just declined.
    guard !trials.contains(where: { $0.method == .portal && $0.outcome == .refused }) else {
      return ended(.unavailable, "The broker is not asked after the portal refused.")
    }
    guard let broker = machine.deviceBroker, await isAvailable(broker) else {
      return ended(.unavailable, "No device broker is installed or running.")
    }
    progress(.broker)
    let outcome: BrokerOutcome
    var opened: DeviceDescriptor?
    switch await asked.byBroker.turn(to: question) {
    case .answered(let other): outcome = other
    case .cancelled: outcome = .cancelled
    case .ask(let waited):
      var rest = question
      rest.timeout -= waited
      let reply = await broker.open(rest)
      outcome = reply.outcome
      asked.byBroker.end(question, with: outcome.isOfAll ? outcome : nil)
      opened = reply.takeDescriptor()
    }
    switch outcome {
    case .granted: break
    case .refused: return ended(.refused, "polkit refused the request.")
    case .dismissed: return ended(.refused, "The dialog was dismissed.")
    case .unsuitable(let reason):
      return ended(.unavailable, "The broker did not open the device: \(reason).")
    case .absent(let reason): return ended(.unavailable, "The broker cannot help: \(reason).")
    case .timedOut: return ended(.timedOut, "The dialog timed out without an answer.")
    case .cancelled: return ended(.cancelled)
    case .failed(let reason): return ended(.failed, "The broker failed: \(reason).")
    }
    guard let descriptor = opened.take() else {
      return ended(.failed, "The broker returned no descriptor.")
    }
    return Result(
      trial: AccessTrial(.broker, .granted),
      report: PermissionReport(requestOf: question.path, errno: 0),
      descriptor: descriptor, kind: .device(path: question.path))
  }

  /// Checks the broker off the caller's executor, because the check blocks.
  @concurrent
  private func isAvailable(_ broker: any DeviceBroker) async -> Bool { broker.isAvailable }
}

extension BrokerRequest {
  /// Creates the request for a refused device; `nil` if the broker cannot help.
  ///
  /// The broker cannot help with other objects, or with a device that no user may open.
  init?(_ explanation: Explanation, timeout: Duration = .seconds(120)) {
    guard explanation.answer == .refused, explanation.status != .restricted,
      let device = explanation.device, let node = device.node, let number = device.number
    else { return nil }
    self.init(path: node, device: number, wanted: explanation.wanted, timeout: timeout)
  }
}
