/// A type that explains an assessment or finds changes that would affect it.
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

  /// A Boolean value that indicates whether the facts are a unit's settings and not only their
  /// effects.
  var isOfUnit: Bool { facts.origin?.kind == .unit }

  /// A Boolean value that indicates whether a tmpfs is mounted on `/dev`.
  ///
  /// Without a sandbox, a container or `PrivateDevices=`, `/dev` is a devtmpfs.
  var hasOwnDev: Bool { access.mounts.last { $0.at == "/dev" }?.fstype == "tmpfs" }

  /// Returns the device whose node has a path outside, but does not exist here.
  func hiddenDevice(at path: String) -> DeviceFacts? {
    facts.devices.first { $0.node == nil && $0.systemNode == path }
  }

  /// The canonical path at which the request was decided.
  var place: String {
    // A doubt about another object does not explain why the kernel did not find this one.
    if assessment.verdict == .absent, case .undecided = assessment.decision.outcome { return path }
    return assessment.decision.at ?? path
  }

  /// The subject's user, as named in sentences.
  var user: String {
    subject.unobserved.contains(.dynamicIDs) ? "a dynamic user" : names.user(subject.fsuid)
  }
}
