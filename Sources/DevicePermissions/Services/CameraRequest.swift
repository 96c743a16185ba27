internal import AccessModel
internal import Synchronization

/// What the last request for the camera came to, for as long as that holds.
///
/// The facts of a process do not change when it raised a capability for one call: looked at again,
/// they say that it could ask. The request has been answered, though, and a program that looks
/// again is told that answer, until the facts themselves say something else.
final class CameraRequest: Sendable {
  private struct Answered {
    var path: String
    /// Tells a camera from another that took its node.
    var sysfsPath: String?
    var report: PermissionReport
  }

  private let answered = Mutex<Answered?>(nil)

  /// Keeps the answer to a request.
  func keep(_ report: PermissionReport, for explanation: Explanation) {
    answered.withLock {
      $0 = Answered(
        path: explanation.path, sysfsPath: explanation.device?.sysfsPath, report: report)
    }
  }

  /// What an explanation comes to, with the answer to a request where the camera was asked for.
  func report(for explanation: Explanation) -> PermissionReport {
    answered.withLock { answered in
      guard explanation.status == .notDetermined else {
        answered = nil
        return PermissionReport(explanation)
      }
      guard let kept = answered, kept.path == explanation.path,
        kept.sysfsPath == explanation.device?.sysfsPath
      else { return PermissionReport(explanation) }
      return kept.report.remembered
    }
  }
}
