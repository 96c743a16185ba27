/// The assessment of an object: the model's decision, the kernel's answer, and the conclusion
/// from both.
///
/// An assessment is a class because it contains all facts and is shared by many readers.
final class Assessment: Sendable {
  /// What follows from the decision and the kernel's answer.
  enum Conclusion: Hashable, Sendable {
    case granted
    case refused(errno: Errno)
    case undecided
    /// Nothing exists at the path.
    case absent
  }

  let facts: AccessFacts
  /// The access case for this object.
  let access: AccessCase
  /// The access case in indexed form.
  let prepared: PreparedCase
  let device: DeviceFacts?
  let checks: [KernelCheck]
  /// The result of an attempt to use the object, if one was made.
  let attempt: Attempt?
  let decision: Decision
  /// The requirement of the object's driver or filesystem that the subject does not or might not
  /// meet.
  ///
  /// The value is `nil` if nothing other than the permissions is known to prevent access.
  let unmetDemand: OpeningDemand?
  /// The object that replaces the device at the path; `nil` for the device itself or a missing
  /// node.
  let replacingObject: ReplacingObject?
  /// The error from the kernel's own check, or 0 if it granted access; `nil` if there was no check.
  let kernelErrno: Errno?
  let conclusion: Conclusion
  let certainty: Certainty
  /// The difference between the kernel's answer and the model's.
  let disagreement: String?

  /// Assesses an object.
  ///
  /// The steps of a decision are needed only if the decision is shown. If the caller needs only the
  /// conclusion, they are not recorded.
  ///
  /// - Parameters:
  ///   - facts: All observed facts.
  ///   - access: The case with the request for this object.
  ///   - device: The device that the node belongs to, if any.
  ///   - checks: The kernel's own answers, including at least those for this object's path.
  ///   - detail: The detail of ``decision``; in brief, it has only its last step.
  init(
    _ facts: AccessFacts, access: AccessCase, device: DeviceFacts?, checks: [KernelCheck],
    detail: ExplanationDetail = .full
  ) {
    self.facts = facts
    self.access = access
    self.device = device
    self.checks = checks
    let kernelErrno =
      facts.isCheckFiltered ? nil : Self.kernelErrno(for: access.checkedRequest, in: checks)
    self.kernelErrno = kernelErrno
    prepared = PreparedCase(access)
    let decision = prepared.decision(isChecked: kernelErrno != nil, detail)
    self.decision = decision
    let attempt = facts.attempt(for: access.request)
    self.attempt = attempt
    let replacingObject = ReplacingObject(facts, access, decision, device: device)
    self.replacingObject = replacingObject
    let comparison = Comparison(
      facts: facts, prepared: prepared, decision: decision, kernelErrno: kernelErrno,
      attempt: attempt, replacingObject: replacingObject)
    unmetDemand = comparison.unmetDemand
    conclusion = comparison.conclusion
    certainty = comparison.certainty
    disagreement = comparison.disagreement
  }

  var wanted: Permissions { access.request.permissions }
  var subject: Subject { access.subject }

  /// The step that decided.
  var decidingStep: Step? { decision.steps.last }

  /// The object at the path; `nil` if the walk did not reach it.
  var object: Node? {
    guard let step = decision.steps.last, step.action == .final else { return nil }
    return step.node
  }

  var isGranted: Bool { conclusion == .granted }

  /// The device link that the request names; `nil` if the request names the node itself.
  var linkInQuestion: String? {
    let path = access.request.path
    return device?.links.contains(path) == true ? path : nil
  }

  /// A Boolean value that indicates whether the refusal comes from a rule outside the model.
  var isRefusedOutsideModel: Bool {
    guard case .refused(let refusal) = conclusion else { return false }
    if case .denied(let errno) = decision.outcome {
      // The kernel may perform another check first and refuse for that reason.
      if errno == refusal, disagreement == nil { return false }
      return kernelErrno.map { $0 != 0 && $0 != errno } ?? false
    }
    return true
  }

  /// The mount that contains the deciding object.
  var mount: Mount? {
    guard let at = decidingStep?.mount else { return nil }
    return access.mounts.last { $0.at.isSame(as: at) }
  }
}

extension Assessment {
  /// Returns the kernel's own answer to a request, or 0 if it granted access.
  ///
  /// If the kernel refuses some of the permissions, it refuses the whole request. Separate grants
  /// prove nothing about the whole request, because the kernel does not combine the permissions of
  /// several list entries.
  static func kernelErrno(for request: Request, in checks: [KernelCheck]) -> Errno? {
    let wanted = request.permissions
    let checks = checks.filter { $0.path.isSame(as: request.path) && $0.errno != .noSystemCall }
    if let exact = checks.first(where: { $0.permissions == wanted }) { return exact.errno }
    let refusal = checks.first { check in
      check.errno != 0 && wanted.isSuperset(of: check.permissions)
    }
    if let refusal { return refusal.errno }
    let isPartOfGrant = checks.contains { check in
      check.errno == 0 && check.permissions.isSuperset(of: wanted)
    }
    return isPartOfGrant ? .success : nil
  }
}

extension PreparedCase {
  /// Returns the decision, without the doubt that a kernel check resolves.
  ///
  /// A device program cannot be read, but the result of faccessat2(2) includes its result. After
  /// such a check, only the other rules can leave a doubt.
  fileprivate func decision(isChecked: Bool, _ detail: ExplanationDetail) -> Decision {
    let decision = decision(for: access.request, detail)
    guard isChecked, case .undecided = decision.outcome else { return decision }
    let settled = asked(by: access.subject.withoutDeviceProgramDoubt)
      .decision(for: access.request, detail)
    if case .undecided = settled.outcome { return decision }
    return settled
  }
}

extension AccessCase {
  /// The request to check with faccessat2(2).
  ///
  /// If the request creates a file, the check applies to the directory.
  var checkedRequest: Request {
    if let directory = creationDirectory {
      return .access(path: directory, mode: [.write, .search], effective: true, noFollow: false)
    }
    guard case .open(let path, _) = request else { return request }
    return .access(path: path, mode: request.permissions, effective: true, noFollow: false)
  }

  /// The case without the doubt about a device program.
  ///
  /// The device control group is assumed to allow everything that it is not known to refuse.
  var withoutDeviceProgramDoubt: AccessCase {
    var other = self
    other.subject = subject.withoutDeviceProgramDoubt
    return other
  }
}

extension Subject {
  /// The subject without the doubt about a device program.
  ///
  /// The device control group is assumed to allow everything that it is not known to refuse.
  var withoutDeviceProgramDoubt: Subject {
    var other = self
    other.unobserved.remove(.deviceCgroup)
    return other
  }
}

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
    if assessment.conclusion == .absent, case .undecided = assessment.decision.outcome {
      return path
    }
    return assessment.decision.at ?? path
  }

  /// The subject's user, as named in sentences.
  var user: String {
    subject.unobserved.contains(.dynamicIDs) ? "a dynamic user" : names.user(subject.fsuid)
  }
}

extension AccessFacts {
  /// Assesses the object in question, or each candidate of the kind in question, in order of
  /// preference.
  ///
  /// - Parameter detail: The detail of each decision; in brief, it has only its last step.
  /// - Returns: The assessments.
  func assessments(_ detail: ExplanationDetail = .full) -> [Assessment] {
    if let kind = kind.flatMap(DeviceKind.named), kind.subsystem != nil {
      let candidates = kind.candidates(in: devices)
      if !candidates.isEmpty { return assess(candidates, detail: detail) }
    }
    return [
      Assessment(
        self, access: access, device: device(at: access.request.path), checks: kernelChecks,
        detail: detail)
    ]
  }

  /// Returns the answers for each device, with one answer for each set of permissions.
  ///
  /// A device without a node has no answers. The cost is linear in the number of devices.
  public func answers(
    for devices: [DeviceFacts], wanting permissions: [Permissions]
  ) -> [[Answer]] {
    var answers = devices.map { _ in [Answer]() }
    let indices = devices.indices.filter { devices[$0].node != nil }
    for wanted in permissions {
      let assessments = assess(devices, wanting: wanted, detail: .brief)
      for (index, assessment) in zip(indices, assessments) {
        answers[index].append(assessment.answer)
      }
    }
    return answers
  }

  /// Assesses each device that has a node, in the given order.
  func assess(
    _ candidates: [DeviceFacts], wanting wanted: Permissions? = nil,
    detail: ExplanationDetail = .full
  ) -> [Assessment] {
    let checks = Dictionary(grouping: kernelChecks, by: \.path)
    // A case with a thousand devices is decided once per device. Only the directories and the
    // device's own node matter, so omitting the other nodes keeps the cost linear.
    let directories = access.nodes.filter { $0.type == .directory }
    let leaves = Dictionary(
      access.nodes.lazy.filter { $0.type != .directory }.map { ($0.path, $0) },
      uniquingKeysWith: { first, _ in first })
    return candidates.compactMap { device in
      guard let path = device.node else { return nil }
      var own = access
      own.request =
        wanted.map { .open(path: path, flags: $0.openFlags) } ?? access.request.at(path)
      if let leaf = leaves[path], leaf.type != .symbolicLink { own.nodes = directories + [leaf] }
      return Assessment(
        self, access: own, device: device, checks: checks[path] ?? [], detail: detail)
    }
  }

  /// Returns the device that a path refers to.
  ///
  /// The device number of the node at the path takes precedence over the names of the devices'
  /// nodes and links.
  func device(at path: String) -> DeviceFacts? {
    guard !devices.isEmpty else { return nil }
    let named = devices.first { $0.node == path || $0.links.contains(path) }
    guard
      let node = access.nodes.first(where: { $0.path.isSame(as: path) && $0.type != .symbolicLink })
        ?? access.object(at: path),
      let rdev = node.rdev, named?.number != rdev
    else { return named }
    return devices.first { $0.number == rdev && $0.isBlock == (node.type == .blockDevice) } ?? named
  }
}

extension DeviceFacts {
  /// A Boolean value that indicates whether the node is a block device.
  ///
  /// Block and character devices can have the same numbers.
  fileprivate var isBlock: Bool { subsystem == "block" }
}
