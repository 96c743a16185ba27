/// What is known of one object of a question: what the model decides, what the kernel itself
/// answered, and what follows from the two together.
///
/// An object, because it holds all facts and is handed on to everything that reads it.
final class Assessment: Sendable {
  /// What is known in the end.
  enum Verdict: Hashable, Sendable {
    case granted
    case refused(errno: Errno)
    case undecided
    /// Nothing is at the path.
    case absent
  }

  let facts: AccessFacts
  /// The case of this object.
  let access: AccessCase
  /// The same, indexed.
  let prepared: PreparedCase
  let device: DeviceFacts?
  let checks: [KernelCheck]
  /// What using the object came to, when somebody tried.
  let attempt: Attempt?
  let decision: Decision
  /// What the object's driver or filesystem asks for and the subject lacks, or may lack; `nil` when
  /// nothing is known to stand in the way behind the permissions.
  let unmetDemand: OpeningDemand?
  /// What is at the path in the device's place; `nil` when that is the device, or nothing.
  let standIn: StandIn?
  /// The error number of the kernel's own check, 0 when it granted; `nil` without a check.
  let kernelErrno: Errno?
  let verdict: Verdict
  let certainty: Certainty
  /// How the kernel's answer differs from the model's.
  let disagreement: String?

  /// Assesses one object.
  ///
  /// Only a decision that is shown has to hold every step. Where the verdict alone is asked, it
  /// is reached without them.
  ///
  /// - Parameters:
  ///   - facts: All that was observed.
  ///   - access: The case with the request for this object.
  ///   - device: The device whose node it is, if any.
  ///   - checks: The kernel's own answers, at least those for this object's path.
  ///   - isShown: Whether ``decision`` holds every step, and not the last alone.
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
    verdict = outcome.verdict
    certainty = outcome.certainty
    disagreement = outcome.disagreement
  }

  var wanted: Permissions { access.request.permissions }
  var subject: Subject { access.subject }

  /// The check that decided.
  var decidingStep: Step? { decision.steps.last }

  /// The object at the path; `nil` when the decision fell before it was reached.
  var object: Node? {
    guard let step = decision.steps.last, step.action == .final else { return nil }
    return step.node
  }

  var isGranted: Bool { verdict == .granted }

  /// The link to the device that was asked about; `nil` if that is the node itself.
  var linkInQuestion: String? {
    let path = access.request.path
    return device?.links.contains(path) == true ? path : nil
  }

  /// Whether the refusal comes from a rule that the model does not hold.
  var isRefusedOutsideModel: Bool {
    guard case .refused(let refusal) = verdict else { return false }
    if case .denied(let errno) = decision.outcome {
      // The kernel's check may look at something else first, and refuse for that.
      if errno == refusal, disagreement == nil { return false }
      return kernelErrno.map { $0 != 0 && $0 != errno } ?? false
    }
    return true
  }

  /// The innermost mount that the deciding object is on.
  var mount: Mount? {
    guard let at = decidingStep?.mount else { return nil }
    return access.mounts.last { $0.at.isSame(as: at) }
  }
}

extension Assessment {
  /// The kernel's own answer to a request, 0 when it was granted.
  ///
  /// A refusal of a part is a refusal of the whole; a grant of parts says nothing of the whole,
  /// because the rights of several list entries are not added up.
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
  /// The decision; once the kernel has answered, without the doubt that its answer settles.
  ///
  /// A device program cannot be read, but its verdict is part of faccessat2(2): what remains to
  /// be told is what the other rules say.
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
  /// What faccessat2(2) is asked about the request: for a file to create, its directory.
  var checkedRequest: Request {
    if let directory = creationDirectory {
      return .access(path: directory, mode: [.write, .search], effective: true, noFollow: false)
    }
    guard case .open(let path, _) = request else { return request }
    return .access(path: path, mode: request.permissions, effective: true, noFollow: false)
  }

  /// The case as if the device control group were known to let everything pass that is not
  /// known to be refused.
  var withoutDeviceProgramDoubt: AccessCase {
    var other = self
    other.subject = subject.withoutDeviceProgramDoubt
    return other
  }
}

extension Subject {
  /// The subject as if its device control group were known to let everything pass that is not
  /// known to be refused.
  var withoutDeviceProgramDoubt: Subject {
    var other = self
    other.unobserved.remove(.deviceCgroup)
    return other
  }
}
