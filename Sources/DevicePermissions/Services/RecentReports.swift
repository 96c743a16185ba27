internal import AccessModel

/// The latest report of the camera or the microphone, as its facts change.
///
/// A portal and the broker are asked with each look at the facts, and not when another kind was
/// looked at: that can take milliseconds. What requests came to counts at once.
struct RecentReports {
  private let looks: DeviceLooks
  private var answers = RecentAnswers()
  /// What the facts came to when they were looked at, whatever was asked before.
  private var now: PermissionReport?

  init(_ looks: DeviceLooks) { self.looks = looks }

  var latest: PermissionReport? {
    guard let now, let explanation = answers.latest else { return nil }
    return looks.known(now, explanation)
  }

  /// Whether a portal makes a difference to the latest report.
  var asksPortal: Bool { answers.latest.map(looks.asksPortal) ?? false }

  mutating func take(_ facts: AccessFacts) async {
    answers.take(facts)
    guard let explanation = answers.latest else { return }
    now = await looks.nowElsewhere(facts.confinement, explanation)
  }
}
