/// What the model's decision and the kernel's own answer come to together.
struct Comparison {
  var verdict: Judgement.Verdict
  var certainty: Certainty
  var disagreement: String?

  init(
    facts: AccessFacts, access: AccessCase, decision: Decision, kernelErrno: Int32?,
    attempt: Attempt?
  ) {
    switch (decision.outcome, kernelErrno) {
    case (.granted, 0):
      verdict = .granted
      certainty = facts.confinement.canRefuseUnseen ? .predicted : .proven
    case (.granted, nil):
      verdict = .granted
      certainty = .predicted
    case (.granted, let errno?):
      let isKnown = Self.isKnownLayer(errno, decision, facts.confinement)
      verdict = isKnown ? .refused(errno: errno) : .undecided
      certainty = isKnown ? .proven : .undecided
      disagreement = "The model grants and the kernel refuses (\(Self.name(errno)))."
    case (.denied(let errno), nil):
      verdict = Self.refusal(errno, decision)
      certainty = .predicted
    case (.denied(let errno), 0):
      if Self.isInvisible(decision.rule) {
        // The kernel's check misses these rules; open(2) does not.
        verdict = Self.refusal(errno, decision)
        certainty = .predicted
      } else {
        verdict = .undecided
        certainty = .undecided
        disagreement = "The model refuses (\(Self.name(errno))) and the kernel grants."
      }
    case (.denied(let errno), let kernel?) where errno == kernel:
      verdict = Self.refusal(errno, decision)
      certainty = .proven
    case (.denied(let errno), let kernel?):
      let isGone = kernel == ErrorNumber.noEntry || errno == ErrorNumber.noEntry
      verdict = isGone ? .undecided : .refused(errno: kernel)
      certainty = isGone ? .undecided : .proven
      disagreement = """
        The model refuses with \(Self.name(errno)) and the kernel with \(Self.name(kernel)).
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
      verdict = errno == ErrorNumber.noEntry ? .absent : .refused(errno: errno)
      certainty = .proven
    }
    if let attempt { take(attempt) }
  }

  /// What open(2) itself said is the last word about permission.
  ///
  /// Some drivers' answers mean that there is no device behind the node; any other error behind
  /// the permission, such as `EBUSY`, refuses nothing.
  private mutating func take(_ attempt: Attempt) {
    switch attempt.errno {
    case ErrorNumber.accessDenied, ErrorNumber.notPermitted:
      if verdict == .granted || verdict == .undecided {
        verdict = .refused(errno: attempt.errno)
        certainty = .proven
      }
    case ErrorNumber.noDevice, ErrorNumber.noSuchDevice:
      verdict = .absent
      certainty = .proven
    default:
      guard verdict == .granted || verdict == .undecided else { return }
      verdict = .granted
      certainty = .proven
    }
  }

  /// Whether a refusal by the kernel alone points to one layer.
  ///
  /// `EPERM` on a device is the device control group's, which the model cannot see; `EACCES` is
  /// a security module's where one is active that this check reaches. Anything else may be a
  /// change between two observations.
  private static func isKnownLayer(
    _ errno: Int32, _ decision: Decision, _ confinement: ConfinementFacts
  ) -> Bool {
    switch errno {
    case ErrorNumber.notPermitted: decision.steps.last?.node?.type.isDevice ?? false
    case ErrorNumber.accessDenied: confinement.hasLabelModule
    default: false
    }
  }

  private static func refusal(_ errno: Int32, _ decision: Decision) -> Judgement.Verdict {
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
    let object = access.nodes.first { $0.path == access.request.path }
    guard let node = object ?? step.node, !node.unobserved.contains(.status) else { return true }
    guard node.type.isDevice else { return false }
    let mount = access.mounts.last { $0.at == step.mount }
    guard let mount else { return true }
    return mount.nodev || mount.superblockNodev
      || !mount.unobserved.isDisjoint(with: [.superblockNodev, .flags])
  }

  /// Whether the object may be append-only and is to be written elsewhere: open(2) refuses that,
  /// and the kernel's check does not.
  private static func couldBeAppendOnly(_ access: AccessCase) -> Bool {
    guard case .open(let path, let flags) = access.request,
      !flags.isDisjoint(with: [.writeOnly, .readWrite, .truncate]), !flags.contains(.append),
      let node = access.object(at: path), node.unobserved.contains(.flags)
    else { return false }
    let mount = access.mounts.filter { $0.holds(node.path) }.max { $0.at.count < $1.at.count }
    return mount.map { !typesWithoutAppendOnly.contains($0.fstype) } ?? true
  }

  /// Filesystems that hide the flags of their files and have no append-only ones.
  private static let typesWithoutAppendOnly: Set<String> = ["vfat", "msdos", "exfat", "udf"]

  static func name(_ errno: Int32) -> String {
    switch errno {
    case ErrorNumber.notPermitted: "EPERM"
    case ErrorNumber.noEntry: "ENOENT"
    case ErrorNumber.accessDenied: "EACCES"
    case ErrorNumber.notDirectory: "ENOTDIR"
    case ErrorNumber.isDirectory: "EISDIR"
    case ErrorNumber.readOnlyFilesystem: "EROFS"
    case ErrorNumber.exists: "EEXIST"
    case ErrorNumber.overflow: "EOVERFLOW"
    default: "errno \(errno)"
    }
  }
}

extension ConfinementFacts {
  /// Whether a security module is active that the kernel's own check reaches.
  var hasLabelModule: Bool {
    securityModules?.contains { $0 == "selinux" || $0 == "smack" } ?? false
  }

  /// Whether a layer could refuse an open that the kernel's own check grants.
  ///
  /// AppArmor, TOMOYO, Landlock and BPF programs act in `file_open`, which faccessat2(2) never
  /// reaches; a Landlock domain cannot be read at all.
  var canRefuseUnseen: Bool {
    guard seccompMode == 0, let securityModules else { return true }
    let harmless: Set<String> = [
      "capability", "yama", "lockdown", "safesetid", "loadpin", "integrity",
    ]
    return securityModules.contains { module in
      if module == "apparmor" { return !(label?.hasPrefix("unconfined") ?? false) }
      return !harmless.contains(module)
    }
  }
}

extension Mount {
  /// Whether a canonical path is at or below the mount point.
  fileprivate func holds(_ path: String) -> Bool {
    at == "/" || path == at || path.hasPrefix(at + "/")
  }
}
