/// The combined result of the model's decision and the kernel's own answer.
struct Comparison {
  var conclusion: Assessment.Conclusion
  var certainty: Certainty
  var disagreement: String?
  /// The requirement of the object's driver or filesystem that the subject does not or may not
  /// meet; `nil` if none is known.
  var unmetDemand: OpeningDemand?

  /// Combines the answers, and applies everything else that limits them.
  init(
    facts: borrowing AccessFacts, prepared: PreparedCase, decision: Decision, kernelErrno: Errno?,
    attempt: Attempt?, replacingObject: ReplacingObject?
  ) {
    self.init(facts: facts, prepared: prepared, decision: decision, kernelErrno: kernelErrno)
    let access = prepared.access
    // The attempt is the best evidence of what the permissions allow. Most of the others only
    // withdraw a grant, so the first one that applies decides.
    if let attempt { apply(attempt, facts.confinement) }
    limit(byDemandOf: facts, access, decision, attempt: attempt)
    limit(by: replacingObject, facts)
    limit(byUnseenRestrictionsOf: facts)
    limit(bySnapPolicyOf: facts, access)
    limit(byWithheldOpeningOf: facts, at: access.request.path)
    limit(byModuleGroupsOf: facts, prepared)
    limit(byClosedFuseOf: access, decision, isAsked: kernelErrno != nil || attempt != nil)
  }

  /// Combines the model's decision and the kernel's own answer.
  private init(
    facts: borrowing AccessFacts, prepared: PreparedCase, decision: Decision, kernelErrno: Errno?
  ) {
    let access = prepared.access
    switch (decision.outcome, Self.answer(kernelErrno, to: decision.outcome)) {
    case (.granted, 0):
      conclusion = .granted
      let isSure = !facts.confinement.canRefuseUnseen && !Self.isServed(access, decision)
      certainty = isSure ? .proven : .predicted
    case (.granted, nil):
      conclusion = .granted
      certainty = .predicted
    case (.granted, let errno?):
      let isKnown = Self.isKnownLayer(errno, decision, facts)
      conclusion = isKnown ? .refused(errno: errno) : .undecided
      certainty = isKnown ? facts.certaintyOfCheck : .undecided
      disagreement =
        errno == .timedOut
        ? "The kernel did not answer in time."
        : "The observed permissions allow this, but the kernel refuses it (\(errno.name))."
    case (.denied(let errno), nil):
      conclusion = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), 0):
      // For a login, a child process in the caller's control group asked the kernel.
      let isOfLogin = decision.rule == .deviceCgroup && facts.origin?.kind == .user
      if isOfLogin || Self.isInvisible(decision.rule) || Self.isExpected(.success, in: prepared) {
        // The kernel's check does not apply these rules, but open(2) does.
        conclusion = Self.refusal(errno, decision)
        certainty = .predicted
      } else {
        conclusion = .undecided
        certainty = .undecided
        disagreement = """
          The observed permissions refuse this (\(errno.name)), but the kernel allows it.
          """
      }
    case (.denied(let errno), let kernel?) where errno == kernel:
      conclusion = Self.refusal(errno, decision)
      certainty = .proven
    case (.denied(let errno), let kernel?) where Self.isExpected(kernel, in: prepared):
      // Both refuse, and open(2) reports the error that it finds first.
      conclusion = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), let kernel?):
      let isGone = kernel == .noSuchFile || errno == .noSuchFile
      conclusion = isGone ? .undecided : .refused(errno: kernel)
      certainty = isGone ? .undecided : facts.certaintyOfCheck
      disagreement = """
        The observed permissions refuse this with \(errno.name), but the kernel with \
        \(kernel.name).
        """
    case (.undecided, nil):
      conclusion = .undecided
      certainty = .undecided
    case (.undecided, 0):
      let isHidden =
        Self.couldForbidDevices(access, decision) || Self.couldBeAppendOnly(access)
      if let errno = decision.creationError(access) {
        // The kernel's check passed the directory, where open(2) then fails to create the file.
        conclusion = .refused(errno: errno)
        certainty = .predicted
      } else {
        conclusion = isHidden ? .undecided : .granted
        certainty = isHidden ? .undecided : .predicted
      }
    case (.undecided, let errno?):
      conclusion = errno == .noSuchFile ? .absent : .refused(errno: errno)
      certainty = facts.certaintyOfCheck
    }
  }

  /// Returns whether a file server makes the final decision.
  private static func isServed(_ access: AccessCase, _ decision: Decision) -> Bool {
    guard let step = decision.steps.last, !(step.node?.type.isSpecial ?? false) else {
      return false
    }
    return access.mounts.last { $0.at == step.mount }?.isServed ?? false
  }

  /// Returns whether a refusal that only the kernel reports can be attributed to a layer.
  ///
  /// `EPERM` on a device comes from the device control group, which the model cannot observe, or
  /// from a seccomp filter. The result is then a prediction. `EACCES` comes from a security module
  /// if an active one also applies to this check. Any other error may result from a change between
  /// two observations.
  private static func isKnownLayer(
    _ errno: Errno, _ decision: Decision, _ facts: AccessFacts
  ) -> Bool {
    switch errno {
    case .notPermitted: decision.steps.last?.node?.type.isDevice ?? false
    case .permissionDenied:
      facts.confinement.hasLabelModule || facts.confinement.enforcedLabel != nil
    default: false
    }
  }

  /// Returns the kernel's answer; `nil` if its check failed or timed out.
  ///
  /// A failed check is not a refusal. The error is kept if the model grants access, or if the model
  /// itself expects an input/output error because of a corrupt access control list.
  private static func answer(_ kernelErrno: Errno?, to outcome: Outcome) -> Errno? {
    switch outcome {
    case .granted, .denied(.inputOutput): kernelErrno
    case .denied, .undecided:
      kernelErrno == .inputOutput || kernelErrno == .timedOut ? nil : kernelErrno
    }
  }

  /// Returns whether the model predicts this answer to the request that faccessat2(2) checked.
  ///
  /// That request can differ from the original one. An open has flags as well as permissions, and
  /// the creation of a file is checked on its directory.
  private static func isExpected(_ kernel: Errno, in prepared: PreparedCase) -> Bool {
    let check = prepared.access.checkedRequest
    guard check != prepared.access.request else { return false }
    let outcome = prepared.verdict(for: check).outcome
    return kernel == .success ? outcome == .granted : outcome == .denied(errno: kernel)
  }

  private static func refusal(_ errno: Errno, _ decision: Decision) -> Assessment.Conclusion {
    switch decision.rule {
    case .walkNoEntry, .walkNotDirectory, .walkTooManyLinks, .walkNameTooLong: .absent
    default: .refused(errno: errno)
    }
  }

  /// Returns whether open(2) applies the rule and faccessat2(2) does not.
  private static func isInvisible(_ rule: Rule?) -> Bool {
    switch rule {
    case .openExists, .createSticky, .createUnmappedID, .createUnsupported: true
    // This is for `O_DIRECTORY`, which faccessat2(2) does not have. In all other cases, the walk of
    // faccessat2(2) has the same result.
    case .walkNotDirectory: true
    case .mountNodev, .openIsDirectory, .inodeAppendOnly, .openNoAccessTime, .symlinkNoFollow:
      true
    default: false
    }
  }

  /// Returns whether the object may be a device on a mount that forbids devices.
  ///
  /// The kernel's check does not see this rule, and the model must not guess it.
  private static func couldForbidDevices(_ access: AccessCase, _ decision: Decision) -> Bool {
    guard let step = decision.steps.last else { return true }
    let path = access.request.path
    let named = access.nodes.first { $0.path.isSame(as: path) && $0.type != .symbolicLink }
    let object = named ?? access.object(at: path) ?? step.node
    guard let object, !object.unobserved.contains(.status) else { return true }
    guard object.type.isDevice else { return false }
    guard let mount = access.mount(of: object.path) else { return true }
    return mount.nodev || mount.superblockNodev
      || !mount.unobserved.isDisjoint(with: [.superblockNodev, .flags])
  }

  /// Returns whether the request writes to a possibly append-only object without appending.
  ///
  /// open(2) refuses this, and the kernel's check does not.
  private static func couldBeAppendOnly(_ access: AccessCase) -> Bool {
    guard case .open(let path, let flags) = access.request,
      !flags.isDisjoint(with: [.writeOnly, .readWrite, .truncate]), !flags.contains(.append),
      let node = access.object(at: path)
    else { return false }
    if node.flags.contains(.append) { return true }
    guard node.unobserved.contains(.flags) else { return false }
    return access.mount(of: node.path).map { !typesWithoutAppendOnly.contains($0.fstype) } ?? true
  }

  /// The filesystems that hide the flags of their files and have no append-only files.
  private static let typesWithoutAppendOnly: Set<String> = ["vfat", "msdos", "exfat", "udf"]
}

extension Comparison {
  /// Applies the result of an attempt to open the object.
  ///
  /// A successful open proves the answer for that call, even if a layer could refuse another call.
  /// A refusal without other evidence is proven only if no filter can have answered in place of the
  /// kernel.
  fileprivate mutating func apply(_ attempt: Attempt, _ confinement: ConfinementFacts) {
    let isOpen = conclusion == .granted || conclusion == .undecided
    switch attempt.errno {
    case 0:
      guard isOpen else { return }
      conclusion = .granted
      certainty = .proven
    case .noSuchAddress, .noSuchDevice:
      conclusion = .absent
      certainty = confinement.certaintyOfAttempt
    case _ where attempt.operation == .stream && !attempt.isRefusal:
      // A failure after the open is not a refusal of permission.
      guard isOpen else { return }
      conclusion = .granted
      certainty = .proven
    default:
      guard isOpen else { return }
      conclusion = .refused(errno: attempt.errno)
      certainty = confinement.certaintyOfAttempt
    }
  }
}

extension ConfinementFacts {
  /// The certainty of an attempt's error, which a seccomp filter can choose freely.
  var certaintyOfAttempt: Certainty { seccompMode == 0 ? .proven : .predicted }
}

extension AccessFacts {
  /// The path of a control check, whose result shows whether a filter answers for the kernel.
  ///
  /// A filter cannot distinguish this path from a device, and no device rule applies to it.
  public static let controlPath = "/"

  /// The certainty of an error from the kernel's own check.
  ///
  /// A filter that passed another check did not answer this one, because a filter does not see
  /// paths.
  var certaintyOfCheck: Certainty {
    confinement.seccompMode != nil && isCheckUnfiltered ? .proven : .predicted
  }

  /// A Boolean value that indicates whether a filter refuses every kernel check, so that none
  /// proves anything.
  var isCheckFiltered: Bool {
    confinement.seccompMode == 2
      && kernelChecks.contains {
        $0.path == Self.controlPath && $0.errno == .notPermitted
      }
  }

  /// A Boolean value that indicates whether `EPERM` from the kernel's own check comes from the
  /// kernel.
  ///
  /// The value is `true` if no seccomp filter was observed, or if another check passed the filter.
  var isCheckUnfiltered: Bool {
    confinement.seccompMode != 2
      || kernelChecks.contains {
        $0.errno != .notPermitted && $0.errno != .noSystemCall
      }
  }
}

extension Assessment {
  /// A Boolean value that indicates whether `EPERM` comes from the device control group.
  ///
  /// The kernel's own check includes the result of the device control group. The error of an
  /// attempt may also come from a filter or a security module.
  var isRefusedByDevicePolicy: Bool {
    if kernelErrno == .notPermitted { return facts.isCheckUnfiltered }
    guard kernelErrno == nil, let attempt, attempt.errno == .notPermitted else {
      return false
    }
    return facts.confinement.seccompMode == 0
  }
}

/// Groups that a login has but the database does not list.
extension Assessment {
  /// The groups that would give the login in question access if pam_group adds them.
  var helpfulModuleGroups: [UInt32] {
    guard facts.origin?.kind == .user, case .denied = decision.outcome else { return [] }
    return facts.account.moduleGroups.filter { group in
      guard !subject.groups.contains(group) else { return false }
      var member = subject
      member.groups.append(group)
      return prepared.asked(by: member.withoutDeviceProgramDoubt).verdict().isGranted
    }
  }
}

extension Comparison {
  /// Downgrades a proven refusal of a login to a prediction if pam_group may add groups that give
  /// access.
  ///
  /// The kernel check did not include these groups.
  fileprivate mutating func limit(
    byModuleGroupsOf facts: borrowing AccessFacts, _ prepared: PreparedCase
  ) {
    guard certainty == .proven, case .refused = conclusion, facts.origin?.kind == .user,
      !facts.account.moduleGroups.isEmpty
    else { return }
    var member = facts.access.subject
    member.groups += facts.account.moduleGroups
    if prepared.asked(by: member.withoutDeviceProgramDoubt).verdict().isGranted {
      certainty = .predicted
    }
  }
}

extension Comparison {
  /// Withdraws a grant to a service if some of its settings are unknown.
  ///
  /// A setting that was not read or not understood may restrict the service. A refusal remains,
  /// because the known settings prove it.
  fileprivate mutating func limit(byUnseenRestrictionsOf facts: borrowing AccessFacts) {
    guard conclusion == .granted, facts.unseenRestriction != nil else { return }
    conclusion = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// The reason why the settings of the service may restrict it further; `nil` if all are known.
  fileprivate var unseenRestriction: String? {
    unobserved.first { $0.layer == Unobserved.restrictionsLayer }?.reason
  }
}

extension Assessment {
  /// The unknown settings that may restrict a service to which the rules grant access; `nil` if
  /// there are none.
  var unseenRestriction: String? {
    guard case .granted = decision.outcome, conclusion == .undecided, disagreement == nil else {
      return nil
    }
    return facts.unseenRestriction
  }
}

extension Comparison {
  /// Withdraws a grant of a device that a probe did not open.
  ///
  /// Without the requested attempt, there is no evidence that the device can be opened.
  fileprivate mutating func limit(
    byWithheldOpeningOf facts: borrowing AccessFacts, at path: String
  ) {
    guard conclusion == .granted, facts.withheldOpening(at: path) != nil else { return }
    conclusion = .undecided
    certainty = .undecided
  }
}

extension AccessFacts {
  /// Returns the side effect of opening a device.
  ///
  /// - Parameter node: The node of the device.
  /// - Returns: The effect; `nil` if none is known.
  public func openingEffect(of node: Node) -> OpeningEffect? {
    let device = devices.first { device in
      device.number == node.rdev && (device.subsystem == "block") == (node.type == .blockDevice)
    }
    return OpeningEffect(of: node, device)
  }

  /// Records that a probe did not open a device.
  package mutating func withholdOpening(at path: String, _ effect: OpeningEffect) {
    unobserved.append(
      Unobserved(Unobserved.openingLayer, at: path, reason: "opening it \(effect.words)"))
  }

  /// Returns the reason why a probe did not open a device, as one clause; `nil` if there is none.
  package func withheldOpening(at path: String) -> String? {
    unobserved.first { $0.layer == Unobserved.openingLayer && $0.at == path }?.reason
  }
}

extension Assessment {
  /// The reason why the device was not opened; `nil` if the answer does not depend on that.
  var withheldOpening: String? {
    guard case .granted = decision.outcome, conclusion == .undecided, disagreement == nil else {
      return nil
    }
    return facts.withheldOpening(at: access.request.path).map { "it was not opened, because \($0)" }
  }
}
