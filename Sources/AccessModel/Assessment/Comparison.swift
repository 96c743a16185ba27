/// What the model's decision and the kernel's own answer come to together.
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
        : "The model grants and the kernel refuses (\(errno.name))."
    case (.denied(let errno), nil):
      verdict = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), 0):
      // Of a login the kernel was asked by a child, which is in the caller's control group.
      let isOfLogin = decision.rule == .deviceCgroup && facts.origin?.kind == .user
      if isOfLogin || Self.isInvisible(decision.rule) || Self.isExpected(.success, in: prepared) {
        // The kernel was asked another question, which misses these rules; open(2) does not.
        verdict = Self.refusal(errno, decision)
        certainty = .predicted
      } else {
        verdict = .undecided
        certainty = .undecided
        disagreement = "The model refuses (\(errno.name)) and the kernel grants."
      }
    case (.denied(let errno), let kernel?) where errno == kernel:
      verdict = Self.refusal(errno, decision)
      certainty = .proven
    case (.denied(let errno), let kernel?) where Self.isExpected(kernel, in: prepared):
      // Both would refuse, and what open(2) looks at first is what it tells.
      verdict = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), let kernel?):
      let isGone = kernel == .noSuchFile || errno == .noSuchFile
      verdict = isGone ? .undecided : .refused(errno: kernel)
      certainty = isGone ? .undecided : facts.certaintyOfCheck
      disagreement = """
        The model refuses with \(errno.name) and the kernel with \
        \(kernel.name).
        """
    case (.undecided, nil):
      verdict = .undecided
      certainty = .undecided
    case (.undecided, 0):
      let isHidden =
        Self.couldForbidDevices(access, decision) || Self.couldBeAppendOnly(access)
      verdict = isHidden ? .undecided : .granted
      certainty = isHidden ? .undecided : .predicted
    case (.undecided, let errno?):
      verdict = errno == .noSuchFile ? .absent : .refused(errno: errno)
      certainty = facts.certaintyOfCheck
    }
    if let attempt { take(attempt, facts.confinement) }
  }

  /// Whether a server has the last word about what was decided.
  private static func isServed(_ access: AccessCase, _ decision: Decision) -> Bool {
    guard let step = decision.steps.last, !(step.node?.type.isSpecial ?? false) else {
      return false
    }
    return access.mounts.last { $0.at == step.mount }?.isServed ?? false
  }

  /// Whether a refusal by the kernel alone points to one layer.
  ///
  /// `EPERM` on a device is the device control group's, which the model cannot see, or the
  /// answer of a seccomp filter, which makes it a prediction; `EACCES` is
  /// a security module's where one is active that this check reaches. Anything else may be a
  /// change between two observations.
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

  /// What the kernel's own check tells: one that failed, or was not answered, has refused nothing, unless
  /// the model knows why (a broken access control list).
  private static func answer(_ kernelErrno: Errno?, to outcome: Outcome) -> Errno? {
    switch outcome {
    case .granted, .denied(.inputOutput): kernelErrno
    case .denied, .undecided:
      kernelErrno == .inputOutput || kernelErrno == .timedOut ? nil : kernelErrno
    }
  }

  /// Whether the model has faccessat2(2) answer so, to the question that it was asked: that of an open
  /// has flags beside its permissions, and that of a new file is about a directory.
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

  /// Whether open(2) knows the rule and faccessat2(2) does not.
  private static func isInvisible(_ rule: Rule?) -> Bool {
    switch rule {
    case .openExists, .createSticky, .createUnmappedID, .createUnsupported: true
    // O_DIRECTORY: faccessat2 has nothing like it, and its own walk finds the same otherwise.
    case .walkNotDirectory: true
    case .mountNodev, .openIsDirectory, .inodeAppendOnly, .openNoAccessTime, .symlinkNoFollow:
      true
    default: false
    }
  }

  /// Whether a device may be on a mount that forbids devices: the one rule that the kernel's
  /// check does not see and that must not be guessed.
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

  /// Whether the object is or may be append-only and is to be written elsewhere: open(2) refuses
  /// that, and the kernel's check does not.
  private static func couldBeAppendOnly(_ access: AccessCase) -> Bool {
    guard case .open(let path, let flags) = access.request,
      !flags.isDisjoint(with: [.writeOnly, .readWrite, .truncate]), !flags.contains(.append),
      let node = access.object(at: path)
    else { return false }
    if node.flags.contains(.append) { return true }
    guard node.unobserved.contains(.flags) else { return false }
    return access.mount(of: node.path).map { !typesWithoutAppendOnly.contains($0.fstype) } ?? true
  }

  /// Filesystems that hide the flags of their files and have no append-only ones.
  private static let typesWithoutAppendOnly: Set<String> = ["vfat", "msdos", "exfat", "udf"]
}
