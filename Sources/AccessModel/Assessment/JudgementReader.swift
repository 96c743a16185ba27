/// Reads a judgement, to say what it comes from or what would change it.
protocol JudgementReader: Sendable {
  var judgement: Judgement { get }
  var names: Names { get }
}

extension JudgementReader {
  var facts: AccessFacts { judgement.facts }
  var access: AccessCase { judgement.access }
  var subject: Subject { judgement.subject }
  var confinement: ConfinementFacts { facts.confinement }
  var device: DeviceFacts? { judgement.device }
  var wanted: Permissions { judgement.wanted }
  var path: String { judgement.access.request.path }
  var isAlbum: Bool { facts.kind == DeviceKind.album.name }

  /// Whether the settings of a unit are the facts, and not only their effects.
  var isOfUnit: Bool { facts.origin?.kind == .unit }

  /// The canonical path where it was decided.
  var place: String {
    // A doubt about another object says nothing of what the kernel did not find.
    if judgement.verdict == .absent, case .undecided = judgement.decision.outcome { return path }
    return judgement.decision.at ?? path
  }

  /// The subject as sentences call it.
  var user: String {
    subject.unobserved.contains(.dynamicIDs) ? "a dynamic user" : names.user(subject.fsuid)
  }
}
