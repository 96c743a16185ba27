internal import AccessModel
internal import LinuxDevices

/// Creates reports from the facts of a device and from the results of requests for it.
struct DeviceLooks: Sendable {
  let portal: (any CameraPortal)?
  let broker: (any DeviceBroker)?
  let requests: AnsweredRequests
  let held: HeldAccesses

  func report(_ confinement: ConfinementFacts, _ explanation: Explanation) -> PermissionReport {
    known(now(confinement, explanation), explanation)
  }

  /// Returns the report without the results of requests.
  func now(_ confinement: ConfinementFacts, _ explanation: Explanation) -> PermissionReport {
    let portal = portalStatus(confinement, explanation)
    let report = PermissionReport(explanation, portal: portal)
    // The broker must not bypass a refusal by the user.
    guard report.status == .denied, portal?.memory != .answer(.no),
      explanation.requestableKind != nil, BrokerRequest(explanation) != nil,
      broker?.isAvailable == true
    else { return report }
    return report.askable
  }

  /// Combines a report with the results of requests.
  func known(_ now: PermissionReport, _ explanation: Explanation) -> PermissionReport {
    requests.report(
      for: explanation, now: now, heldBy: held.roads(to: AccessObject(explanation)))
  }

  /// Calls ``now(_:_:)`` off the caller's executor, because it can block on the message bus.
  @concurrent
  func nowElsewhere(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) async -> PermissionReport {
    now(confinement, explanation)
  }

  /// Returns `true` if the answer of the portal can change the report.
  func asksPortal(_ explanation: Explanation) -> Bool {
    portal != nil && explanation.requestableKind == .camera
      && (explanation.answer == .refused || explanation.answer == .absent)
  }

  /// Returns the status of the portal; `nil` if it cannot change the report.
  private func portalStatus(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) -> PortalStatus? {
    guard asksPortal(explanation) else { return nil }
    return portal?.status(of: PortalApplication.identifier(of: confinement))
  }
}

extension Explanation {
  /// The kind of the device, if the portal or the broker opens devices of that kind.
  ///
  /// This is the camera or the microphone, even if no such device exists.
  var requestableKind: DeviceKind? {
    [DeviceKind.camera, .microphone].first { requestable in
      kind == requestable.name
        || device.map { !requestable.candidates(in: [$0]).isEmpty } == true
    }
  }
}
