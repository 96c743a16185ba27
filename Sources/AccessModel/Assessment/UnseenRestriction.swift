extension Comparison {
  /// Takes back a grant to a service of whose settings not all are known: what was not read or not
  /// understood may restrict it.
  ///
  /// A refusal stays, because the settings that are known prove it.
  mutating func takeUnseenRestrictions(of facts: borrowing AccessFacts) {
    guard verdict == .granted, facts.unseenRestriction != nil else { return }
    verdict = .undecided
    certainty = .undecided
  }

  /// Takes back a grant to write what may be in a subvolume of btrfs that is read-only, which no mount
  /// shows: only the kernel's own check tells.
  ///
  /// The subvolume is asked before modes and lists (`btrfs_permission`), so that a refusal stays one.
  mutating func takeUnseenSubvolume(
    of access: AccessCase, _ decision: Decision, kernelErrno: Errno?, attempt: Attempt?
  ) {
    guard verdict == .granted, kernelErrno == nil, attempt == nil,
      access.unseenSubvolume(at: decision) != nil
    else { return }
    verdict = .undecided
    certainty = .undecided
  }
}

extension AccessCase {
  /// Why what is to be written may be read-only all the same; `nil` where a mount would show it.
  fileprivate func unseenSubvolume(at decision: Decision) -> String? {
    guard let step = decision.steps.last, step.wanted.contains(.write),
      !(step.node?.type.isSpecial ?? false),
      let mount = mounts.last(where: { $0.at == step.mount }), mount.hasReadOnlySubvolumes
    else { return nil }
    return "whether the subvolume of \(mount.fstype) is read-only that \(step.path) is in"
  }
}

extension AccessFacts {
  /// Why the settings of the service in question may restrict it further; `nil` when all are known.
  fileprivate var unseenRestriction: String? {
    unobserved.first { $0.layer == Unobserved.restrictionsLayer }?.reason
  }
}

extension Assessment {
  /// What may restrict the service that the rules would let in; `nil` where nothing unknown does.
  var unseenRestriction: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil else {
      return nil
    }
    return facts.unseenRestriction ?? unseenSubvolume
  }

  /// What may forbid writing where the rules would permit it; `nil` where nothing unknown does.
  var unseenSubvolume: String? {
    guard case .granted = decision.outcome, verdict == .undecided, disagreement == nil,
      facts.unseenRestriction == nil
    else { return nil }
    return access.unseenSubvolume(at: decision)
  }
}
