extension Comparison {
  /// Withdraws a grant if opening the object has further requirements that the subject may not
  /// meet.
  ///
  /// An actual attempt to open the object is better evidence than the known requirements of
  /// drivers.
  ///
  /// - Parameters:
  ///   - facts: The observed facts.
  ///   - access: The case of the object.
  ///   - decision: The decision of the model.
  ///   - attempt: The result of opening the object; `nil` if it was not tried.
  /// - Returns: The requirement that the subject does not or may not meet; `nil` if there is none.
  mutating func takeDemand(
    of facts: borrowing AccessFacts, _ access: borrowing AccessCase, _ decision: borrowing Decision,
    attempt: Attempt?
  ) -> OpeningDemand? {
    guard verdict == .granted, attempt == nil, let step = decision.steps.last,
      let demand = access.demand(for: access.request, at: step)
    else { return nil }
    switch demand.isMet(by: access.subject, facts.confinement) {
    case .yes: return nil
    case .no:
      verdict = .refused(errno: demand.errno)
      certainty = .predicted
    case .maybe:
      verdict = .undecided
      certainty = .undecided
    }
    return demand
  }
}

extension Comparison {
  /// Withdraws the grant of a file or device that no known interface gives to a strict snap.
  ///
  /// The snap's profile is applied when the file is opened, and faccessat2(2) does not check it.
  mutating func takeSnapPolicy(_ facts: borrowing AccessFacts, _ access: borrowing AccessCase) {
    guard verdict == .granted, facts.attempts.isEmpty,
      facts.snapHides(access.request.path)
    else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension Comparison {
  /// Applies the refusal of a FUSE filesystem that another user mounted without `allow_other`.
  ///
  /// The kernel compares every user and group ID of the subject before it checks any mode
  /// (`fuse_allow_current_process`). A parameter of the module can exempt `CAP_SYS_ADMIN`.
  mutating func takeClosedFuse(
    _ access: borrowing AccessCase, _ decision: borrowing Decision, isAsked: Bool
  ) {
    guard verdict == .undecided, !isAsked, case .undecided = decision.outcome,
      let place = decision.at ?? decision.steps.last?.path,
      let options = access.mount(of: place)?.fuse, !options.allowsOthers,
      !access.subject.effective.contains(.administerSystem)
    else { return }
    if case .open(_, let flags) = access.request, flags.contains(.path) { return }
    let subject = access.subject
    let isOwner = [subject.ruid, subject.euid, subject.suid].allSatisfy { $0 == options.user }
    guard !isOwner, subject.fsuid != options.user else { return }
    verdict = .refused(errno: .permissionDenied)
    certainty = .predicted
  }
}

extension AccessCase {
  /// Returns the requirement of an open beyond the permissions; `nil` if none is known.
  fileprivate func demand(for request: Request, at step: Step) -> OpeningDemand? {
    guard case .open(_, let flags) = request, !flags.contains(.path), step.action == .final,
      let object = step.node, !object.unobserved.contains(.status)
    else { return nil }
    return OpeningDemand(
      of: object, on: mounts.last { mount in step.mount.map { mount.at.isSame(as: $0) } ?? false },
      opened: request.permissions)
  }

  /// Returns whether the subject does not or may not meet the requirement of another request.
  func mayLackDemand(
    for request: Request, at step: Step?, _ confinement: borrowing ConfinementFacts
  ) -> Bool {
    guard let step, let demand = demand(for: request, at: step) else { return false }
    return demand.isMet(by: subject, confinement) != .yes
  }
}
