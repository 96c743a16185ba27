/// The assessment of an object: the model's decision, the kernel's answer and the resulting
/// verdict.
///
/// An assessment is a class because it contains all facts and is shared by many readers.
final class Assessment: Sendable {
  /// The final verdict.
  enum Verdict: Hashable, Sendable {
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
  /// The requirement of the object's driver or filesystem that the subject does not or may not
  /// meet.
  ///
  /// The value is `nil` if nothing other than the permissions is known to prevent access.
  let unmetDemand: OpeningDemand?
  /// The object that replaces the device at the path; `nil` for the device itself or a missing
  /// node.
  let standIn: StandIn?
  /// The error from the kernel's own check, or 0 if it granted access; `nil` if there was no check.
  let kernelErrno: Errno?
  let verdict: Verdict
  let certainty: Certainty
  /// The difference between the kernel's answer and the model's.
  let disagreement: String?

  /// Assesses an object.
  ///
  /// The steps of a decision are needed only if the decision is shown. If the caller needs only the
  /// verdict, they are not recorded.
  ///
  /// - Parameters:
  ///   - facts: All observed facts.
  ///   - access: The case with the request for this object.
  ///   - device: The device that the node belongs to, if any.
  ///   - checks: The kernel's own answers, including at least those for this object's path.
  ///   - isShown: Whether ``decision`` contains every step.
  init(
    _ facts: AccessFacts, access: AccessCase, device: DeviceFacts?, checks: [KernelCheck],
    isShown: Bool = true
  ) {
    self.facts = facts
    self.access = access
    self.device = device
    self.checks = checks
    let kernelErrno =
      facts.isCheckFiltered ? nil : Self.kernelErrno(for: access.checkedRequest, in: checks)
    self.kernelErrno = kernelErrno
    prepared = PreparedCase(access)
    let decision = prepared.decide(isChecked: kernelErrno != nil, isShown: isShown)
    self.decision = decision
    let attempt = facts.attempt(for: access.request)
    self.attempt = attempt
    var outcome = Comparison(
      facts: facts, prepared: prepared, decision: decision, kernelErrno: kernelErrno,
      attempt: attempt)
    unmetDemand = outcome.takeDemand(of: facts, access, decision, attempt: attempt)
    let standIn = StandIn(facts, access, decision, device: device)
    self.standIn = standIn
    outcome.take(standIn, facts)
    outcome.takeUnseenRestrictions(of: facts)
    outcome.takeSnapPolicy(facts, access)
    outcome.takeWithheldOpening(of: facts, at: access.request.path)
    outcome.takeModuleGroups(of: facts, prepared)
    outcome.takeClosedFuse(access, decision, isAsked: kernelErrno != nil || attempt != nil)
    verdict = outcome.verdict
    certainty = outcome.certainty
    disagreement = outcome.disagreement
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

  var isGranted: Bool { verdict == .granted }

  /// The device link that the request names; `nil` if the request names the node itself.
  var linkInQuestion: String? {
    let path = access.request.path
    return device?.links.contains(path) == true ? path : nil
  }

  /// A Boolean value that indicates whether the refusal comes from a rule outside the model.
  var isRefusedOutsideModel: Bool {
    guard case .refused(let refusal) = verdict else { return false }
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
  /// A device program cannot be read, but the result of faccessat2(2) includes its verdict. After
  /// such a check, only the other rules can leave a doubt.
  fileprivate func decide(isChecked: Bool, isShown: Bool) -> Decision {
    let decision = decide(isShown: isShown)
    guard isChecked, case .undecided = decision.outcome else { return decision }
    let settled = asked(by: access.subject.withoutDeviceProgramDoubt).decide(isShown: isShown)
    if case .undecided = settled.outcome { return decision }
    return settled
  }

  private func decide(isShown: Bool) -> Decision {
    isShown ? decision(for: access.request) : conclusion(for: access.request)
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
