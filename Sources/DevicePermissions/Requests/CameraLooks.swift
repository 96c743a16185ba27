internal import AccessModel
internal import LinuxDevices

/// Makes reports of the facts of the camera or the microphone, with all that is known of requests
/// for it.
struct CameraLooks: Sendable {
  let portal: (any CameraPortal)?
  let requests: AnsweredRequests
  let held: HeldAccesses

  func report(_ confinement: ConfinementFacts, _ explanation: Explanation) -> PermissionReport {
    requests.report(
      for: explanation, portal: portalStatus(confinement, explanation),
      heldBy: held.roads(to: AccessObject(explanation)))
  }

  /// The same off the caller's executor, because it can block on the message bus.
  @concurrent
  func reportElsewhere(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) async -> PermissionReport {
    report(confinement, explanation)
  }

  /// What the portal knows; `nil` where it makes no difference.
  func portalStatus(
    _ confinement: ConfinementFacts, _ explanation: Explanation
  ) -> PortalStatus? {
    guard explanation.answer == .refused || explanation.answer == .absent else { return nil }
    return portal?.status(of: PortalApplication.identifier(of: confinement))
  }
}
