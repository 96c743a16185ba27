internal import AccessModel
internal import Synchronization

/// What the last request for the camera, or for the microphone, came to, for as long as that holds.
///
/// The facts of a process do not change when it raised a capability for one call, or when a portal
/// did not answer: looked at again, they say that it could ask. The request has been answered, though,
/// and a program that looks again is told that answer, until the facts themselves say something else.
final class AnsweredRequests: Sendable {
  private struct Answered {
    var object: AccessObject
    var report: PermissionReport
  }

  private let answered = Mutex<Answered?>(nil)

  /// Keeps the answer to a request.
  func keep(_ report: PermissionReport, for explanation: Explanation) {
    answered.withLock { $0 = Answered(object: AccessObject(explanation), report: report) }
  }

  /// Joins an explanation with the answer to a request where the camera was asked for.
  ///
  /// - Parameters:
  ///   - explanation: The explanation.
  ///   - now: What the facts come to.
  ///   - roads: The roads by which this process got the camera, where it holds it open.
  /// - Returns: What both come to.
  func report(
    for explanation: Explanation, now: PermissionReport, heldBy roads: Set<AccessRoad>
  ) -> PermissionReport {
    answered.withLock { answered in
      // The broker gave it although the rules refuse it, which they still do.
      let isGivenAnyway = now.status == .denied && roads.contains(.broker)
      guard now.status == .notDetermined || isGivenAnyway else {
        answered = nil
        return now
      }
      if !roads.isEmpty { return PermissionReport(heldAt: explanation.path) }
      guard let kept = answered, kept.object == AccessObject(explanation) else { return now }
      return kept.report.remembered
    }
  }
}
