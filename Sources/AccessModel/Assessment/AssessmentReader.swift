/// Reads an assessment, to say what it comes from or what would change it.
protocol AssessmentReader: Sendable {
  var assessment: Assessment { get }
  var names: Names { get }
}

extension AssessmentReader {
  var facts: AccessFacts { assessment.facts }
  var access: AccessCase { assessment.access }
  var subject: Subject { assessment.subject }
  var confinement: ConfinementFacts { facts.confinement }
  var device: DeviceFacts? { assessment.device }
  var wanted: Permissions { assessment.wanted }
  var path: String { assessment.access.request.path }
  var isAlbum: Bool { facts.kind == DeviceKind.album.name }

  /// Whether the settings of a unit are the facts, and not only their effects.
  var isOfUnit: Bool { facts.origin?.kind == .unit }

  /// The canonical path where it was decided.
  var place: String {
    // A doubt about another object says nothing of what the kernel did not find.
    if assessment.verdict == .absent, case .undecided = assessment.decision.outcome { return path }
    return assessment.decision.at ?? path
  }

  /// The subject as sentences call it.
  var user: String {
    subject.unobserved.contains(.dynamicIDs) ? "a dynamic user" : names.user(subject.fsuid)
  }
}
