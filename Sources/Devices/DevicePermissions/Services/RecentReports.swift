internal import AccessModel

/// The latest report about the camera or the microphone.
///
/// The portal and the broker are queried only when the facts of this device are observed, not when
/// those of another kind are, because a query can take milliseconds. The results of requests apply
/// at once.
struct RecentReports {
  private let looks: DeviceLooks
  private var answers = RecentAnswers()
  /// The report of the last observation, without the results of requests.
  private var now: PermissionReport?

  init(_ looks: DeviceLooks) { self.looks = looks }

  var latest: PermissionReport? {
    guard let now, let explanation = answers.latest else { return nil }
    return looks.known(now, explanation)
  }

  /// A Boolean value that indicates whether the answer of the portal can change the latest report.
  var asksPortal: Bool { answers.latest.map(looks.asksPortal) ?? false }

  mutating func take(_ facts: AccessFacts) async {
    answers.take(facts)
    guard let explanation = answers.latest else { return }
    now = await looks.nowElsewhere(facts.confinement, explanation)
  }
}
