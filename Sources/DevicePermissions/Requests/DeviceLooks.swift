internal import AccessModel
internal import LinuxDevices

/// Makes reports of the facts of a device, with all that is known of requests for it.
struct DeviceLooks: Sendable {
  let portal: (any CameraPortal)?
  let broker: (any DeviceBroker)?
  let requests: AnsweredRequests
  let held: HeldAccesses

  func report(_ confinement: ConfinementFacts, _ explanation: Explanation) -> PermissionReport {
    known(now(confinement, explanation), explanation)
  }

  /// What the facts come to, whatever was asked before.
  func now(_ confinement: ConfinementFacts, _ explanation: Explanation) -> PermissionReport {
    let portal = portalStatus(confinement, explanation)
    let report = PermissionReport(explanation, portal: portal)
    // A person's no is not for the broker to get around.
    guard report.status == .denied, portal?.memory != .answer(.no),
      explanation.requestableKind != nil, BrokerRequest(explanation) != nil,
      broker?.isAvailable == true
    else { return report }
    return report.askable
  }

  /// Joins what the facts come to with what was asked before.
  func known(_ now: PermissionReport, _ explanation: Explanation) -> PermissionReport {
    requests.report(
      for: explanation, now: now, heldBy: held.roads(to: AccessObject(explanation)))
  }

  /// The same as ``now(_:_:)`` off the caller's executor, because it can block on the message bus.
  @concurrent
  func nowElsewhere(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) async -> PermissionReport {
    now(confinement, explanation)
  }

  /// Whether a portal makes a difference.
  func asksPortal(_ explanation: Explanation) -> Bool {
    portal != nil && explanation.requestableKind == .camera
      && (explanation.answer == .refused || explanation.answer == .absent)
  }

  /// What the portal knows; `nil` where it makes no difference.
  private func portalStatus(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) -> PortalStatus? {
    guard asksPortal(explanation) else { return nil }
    return portal?.status(of: PortalApplication.identifier(of: confinement))
  }
}

extension Explanation {
  /// The kind that it is about, where the portal or the broker opens such devices.
  ///
  /// That is the camera or the microphone, also where there is none.
  var requestableKind: DeviceKind? {
    [DeviceKind.camera, .microphone].first { requestable in
      kind == requestable.name
        || device.map { !requestable.candidates(in: [$0]).isEmpty } == true
    }
  }
}
