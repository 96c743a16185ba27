internal import AccessModel
internal import LinuxDevices

extension RoadWalk {
  /// Asks the portal, if one exists and it could have the requested camera.
  func askPortal(_ explanation: Explanation, _ application: String?) async -> Result {
    func none(_ reason: String) -> Result {
      Result(trial: AccessTrial(.portal, .unavailable, reason: reason))
    }
    guard explanation.requestableKind == .camera else {
      return none("The portal is only for cameras.")
    }
    let isAlone = request.roads == [.portal]
    guard explanation.answer != .allowed || isAlone else {
      return none("The device can already be opened.")
    }
    guard let portal = machine.cameraPortal else { return none("There is no camera portal.") }
    let status = await status(of: portal, application)
    guard status.isReachable else {
      guard case .unread(let reason) = status.memory else {
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
      remote = reply.takeRemote()
    }
    guard outcome == .granted, let remote = remote.take() else {
      return refusal(outcome, await self.status(of: portal, application).memory)
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
  ///   - memory: The answer that is stored now.
  /// - Returns: The result of asking the portal.
  private func refusal(_ outcome: PortalOutcome, _ memory: PortalMemory) -> Result {
    func ended(
      _ outcome: AccessTrial.Outcome, _ reason: String?, _ report: PermissionReport? = nil
    ) -> Result {
      Result(trial: AccessTrial(.portal, outcome, reason: reason), report: report)
    }
    switch outcome {
    case .refused, .withheld:
      let report = PermissionReport(refusedByPortal: memory)
      return ended(.refused, report.reason, report)
    case .interrupted: return ended(.refused, "The dialog ended without an answer.")
    case .forbidden:
      return ended(.forbidden, PermissionReport.forbiddenByDesktop.reason, .forbiddenByDesktop)
    case .absent(let reason):
      return ended(.unavailable, "There is no camera portal: \(reason).")
    case .timedOut: return ended(.timedOut, "The dialog timed out without an answer.")
    case .cancelled: return ended(.cancelled, nil)
    case .failed(let reason): return ended(.failed, "The portal failed: \(reason).")
    case .granted: return ended(.failed, "The portal returned no descriptor.")
    }
  }
}

extension PortalOutcome {
  /// A Boolean value that indicates whether other callers with the same question get the outcome.
  ///
  /// A connection belongs to one caller, and so does a cancelled task.
  fileprivate var isOfAll: Bool { self != .granted && self != .cancelled }
}
