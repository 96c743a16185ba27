internal import AccessModel
internal import Synchronization

/// What the last request for each device came to, for as long as that holds.
///
/// The facts of a process do not change when it raised a capability for one call, or when a portal
/// did not answer: looked at again, they say that it could ask. The request has been answered, though,
/// and a program that looks again is told that answer, until the facts themselves say something else.
/// It does not matter whether the device was asked for by its kind, its name or its path.
final class AnsweredRequests: Sendable {
  private struct Answered {
    let object: AccessObject
    /// The kind that looks tell it by; `nil` for a device that only a path leads to.
    let kind: DeviceKind?
    let report: PermissionReport
  }

  /// A program may ask for any number of paths; the oldest answers are forgotten.
  static let most = 256

  /// From the oldest.
  private let answered = Mutex<[Answered]>([])

  /// Keeps the answer to a request.
  ///
  /// - Parameters:
  ///   - answer: The answer, which may be about another device of the kind that was free.
  ///   - explanation: The device that was asked for, which looks go on to tell.
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

  /// Joins an explanation with the answer to a request where the device was asked for.
  ///
  /// - Parameters:
  ///   - explanation: The explanation.
  ///   - now: What the facts come to.
  ///   - roads: The roads by which this process got the device, where it holds it open.
  /// - Returns: What both come to.
  func report(
    for explanation: Explanation, now: PermissionReport, heldBy roads: Set<AccessRoad>
  ) -> PermissionReport {
    let object = AccessObject(explanation)
    return answered.withLock { answered in
      answered.removeAll { $0.object != object && Self.isGone($0, from: explanation) }
      // The broker gave it although the rules refuse it, which they still do.
      let isGivenAnyway = now.status == .denied && roads.contains(.broker)
      guard now.status == .notDetermined || isGivenAnyway else {
        answered.removeAll { $0.object == object }
        return now
      }
      if !roads.isEmpty { return PermissionReport(heldAt: explanation.path) }
      guard let kept = answered.first(where: { $0.object == object }) else { return now }
      return kept.report.remembered
    }
  }

  /// Whether a look shows that a device is not where it was: one that is plugged in again is asked for
  /// anew.
  private static func isGone(_ entry: Answered, from explanation: Explanation) -> Bool {
    if entry.object.path == explanation.path { return true }
    guard let kind = entry.kind, kind.name == explanation.kind else { return false }
    return !explanation.candidates.contains { AccessObject($0) == entry.object }
  }
}
