internal import AccessModel
internal import LinuxDevices
internal import Synchronization

/// The results of the last requests for each device, for as long as they are valid.
///
/// A request can be answered without changing the facts, for example if it raised a capability for
/// only one call, or if a portal did not answer. The facts then still say that a request could
/// help. A program that checks again gets the result of its request instead, until the facts give
/// another answer. A result applies to the device, no matter whether the request used its kind, its
/// name or its path.
final class AnsweredRequests: Sendable {
  private struct Answered {
    let object: AccessObject
    /// The kind whose observations include the device; `nil` if it is found only by its path.
    let kind: DeviceKind?
    let report: PermissionReport
  }

  /// The maximum number of results; if there are more, the oldest ones are dropped.
  static let most = 256

  /// The results, oldest first.
  private let answered = Mutex<[Answered]>([])

  /// Keeps the answer to a request.
  ///
  /// - Parameters:
  ///   - answer: The answer, which may be about another device of the kind that was free.
  ///   - explanation: The explanation of the requested device, which later observations explain.
  func keep(_ answer: AccessAnswer, to explanation: Explanation) {
    keep(answer.report, for: explanation)
    guard let other = answer.explanation, AccessObject(other) != AccessObject(explanation) else {
      return
    }
    keep(answer.report, for: other)
  }

  private func keep(_ report: PermissionReport, for explanation: Explanation) {
    let entry = Answered(
      object: AccessObject(explanation), kind: explanation.requestableKind, report: report)
    answered.withLock { answered in
      answered.removeAll { $0.object.path == entry.object.path }
      answered.append(entry)
      if answered.count > Self.most { answered.removeFirst() }
    }
  }

  /// Combines a report with the result of a request for the device.
  ///
  /// - Parameters:
  ///   - explanation: The explanation of the device.
  ///   - now: The report without the results of requests.
  ///   - methods: The methods by which this process got the device; empty if the process does not
  ///     hold the device open.
  /// - Returns: The combined report.
  func report(
    for explanation: Explanation, now: PermissionReport, heldBy methods: Set<AccessMethod>
  ) -> PermissionReport {
    let object = AccessObject(explanation)
    return answered.withLock { answered in
      answered.removeAll { $0.object != object && Self.isGone($0, from: explanation) }
      // The broker gave access although the rules refuse it, which they still do.
      let isGivenAnyway = now.status == .denied && methods.contains(.broker)
      guard now.status == .notDetermined || isGivenAnyway else {
        answered.removeAll { $0.object == object }
        return now
      }
      if !methods.isEmpty { return PermissionReport(heldAt: explanation.path) }
      guard let kept = answered.first(where: { $0.object == object }) else { return now }
      return kept.report.remembered
    }
  }

  /// Returns `true` if an explanation shows that a device is no longer where it was.
  ///
  /// If the device is plugged in again, a new request is needed.
  private static func isGone(_ entry: Answered, from explanation: Explanation) -> Bool {
    if entry.object.path == explanation.path { return true }
    guard let kind = entry.kind, kind.name == explanation.kind else { return false }
    return !explanation.candidates.contains { AccessObject($0) == entry.object }
  }
}

/// Creates reports from the facts of a device and from the results of requests for it.
struct DeviceReports: Sendable {
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
    guard report.status == .denied, portal?.permission != .answer(.no),
      explanation.requestableKind != nil, BrokerRequest(explanation) != nil,
      broker?.isAvailable == true
    else { return report }
    return report.askable
  }

  /// Combines a report with the results of requests.
  func known(_ now: PermissionReport, _ explanation: Explanation) -> PermissionReport {
    requests.report(
      for: explanation, now: now, heldBy: held.methods(to: AccessObject(explanation)))
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
