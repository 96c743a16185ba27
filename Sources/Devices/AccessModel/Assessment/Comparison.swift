/// The combined result of the model's decision and the kernel's own answer.
struct Comparison {
  var verdict: Assessment.Verdict
  var certainty: Certainty
  var disagreement: String?

  init(
    facts: borrowing AccessFacts, prepared: PreparedCase, decision: Decision, kernelErrno: Errno?,
    attempt: Attempt?
  ) {
    let access = prepared.access
    switch (decision.outcome, Self.answer(kernelErrno, to: decision.outcome)) {
    case (.granted, 0):
      verdict = .granted
      let isSure = !facts.confinement.canRefuseUnseen && !Self.isServed(access, decision)
      certainty = isSure ? .proven : .predicted
    case (.granted, nil):
      verdict = .granted
      certainty = .predicted
    case (.granted, let errno?):
      let isKnown = Self.isKnownLayer(errno, decision, facts)
      verdict = isKnown ? .refused(errno: errno) : .undecided
      certainty = isKnown ? facts.certaintyOfCheck : .undecided
      disagreement =
        errno == .timedOut
        ? "The kernel did not answer in time."
        : "The observed permissions allow this, but the kernel refuses it (\(errno.name))."
    case (.denied(let errno), nil):
      verdict = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), 0):
      // For a login, a child process in the caller's control group asked the kernel.
      let isOfLogin = decision.rule == .deviceCgroup && facts.origin?.kind == .user
      if isOfLogin || Self.isInvisible(decision.rule) || Self.isExpected(.success, in: prepared) {
        // The kernel's check does not apply these rules, but open(2) does.
        verdict = Self.refusal(errno, decision)
        certainty = .predicted
      } else {
        verdict = .undecided
        certainty = .undecided
        disagreement = """
          The observed permissions refuse this (\(errno.name)), but the kernel allows it.
          """
      }
    case (.denied(let errno), let kernel?) where errno == kernel:
      verdict = Self.refusal(errno, decision)
      certainty = .proven
    case (.denied(let errno), let kernel?) where Self.isExpected(kernel, in: prepared):
      // Both refuse, and open(2) reports the error that it finds first.
      verdict = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), let kernel?):
      let isGone = kernel == .noSuchFile || errno == .noSuchFile
      verdict = isGone ? .undecided : .refused(errno: kernel)
      certainty = isGone ? .undecided : facts.certaintyOfCheck
      disagreement = """
        The observed permissions refuse this with \(errno.name), but the kernel with \
        \(kernel.name).
        """
    case (.undecided, nil):
      verdict = .undecided
      certainty = .undecided
    case (.undecided, 0):
      let isHidden =
        Self.couldForbidDevices(access, decision) || Self.couldBeAppendOnly(access)
      if let errno = decision.creationError(access) {
        // The kernel's check passed the directory, where open(2) then fails to create the file.
        verdict = .refused(errno: errno)
        certainty = .predicted
      } else {
        verdict = isHidden ? .undecided : .granted
        certainty = isHidden ? .undecided : .predicted
      }
    case (.undecided, let errno?):
      verdict = errno == .noSuchFile ? .absent : .refused(errno: errno)
      certainty = facts.certaintyOfCheck
    }
    if let attempt { take(attempt, facts.confinement) }
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

  private static func refusal(_ errno: Errno, _ decision: Decision) -> Assessment.Verdict {
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
