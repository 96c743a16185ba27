/// A requirement that a driver or filesystem checks when an object is opened, after all
/// permissions.
///
/// The kernel's own check (faccessat2(2)) does not include these requirements. They are checked in
/// the `open` operation of the object's `file_operations`, which `do_dentry_open` calls last.
enum OpeningDemand: Hashable, Sendable {
  /// A capability in the initial user namespace (`capable`); otherwise, the open fails with
  /// `EPERM`.
  case capability(Capability)
  /// `CAP_SYS_RAWIO` in the initial user namespace, and a kernel lockdown below the given level
  /// (`security_locked_down`); otherwise, the open fails with `EPERM`.
  case memory(lockedFrom: LockdownLevel)
  /// A capability in the caller's user namespace (`ns_capable`); otherwise, the open fails with
  /// `EPERM`.
  case capabilityInside(Capability)
  /// Permission to read the kernel log, always or if `kernel.dmesg_restrict` is set
  /// (`check_syslog_permissions`).
  case kernelLog(isAlways: Bool)
  /// A permission that the attribute's mode grants to no class.
  ///
  /// Even a process that overrides modes is refused (`kernfs_fop_open`).
  case attribute(Permissions)
  /// A controlling terminal (`tty_open_current_tty`); otherwise, the open fails with `ENXIO`.
  case terminal
  /// Permission to trace the process that the file belongs to (`ptrace_may_access`).
  case tracing

  /// Creates the requirement of opening an object with some permissions; `nil` if none is known.
  init?(of object: Node, on mount: @autoclosure () -> Mount?, opened wanted: Permissions) {
    switch object.type {
    case .characterDevice:
      guard let number = object.rdev, let demand = Self.demand(of: number, opened: wanted) else {
        return nil
      }
      self = demand
    case .regular:
      let mount = mount()
      switch mount?.fstype {
      case "sysfs":
        let missing = wanted.intersection([.read, .write]).subtracting(object.anyBits)
        guard !missing.isEmpty else { return nil }
        self = .attribute(missing)
      case "proc":
        guard let mount,
          let demand = Self.demand(
            of: Substring(object.path.utf8.dropFirst(mount.at.utf8.count)).parts(at: "/"))
        else {
          return nil
        }
        self = demand
      default: return nil
      }
    default: return nil
    }
  }

  /// Returns the requirement of a character device's driver; `nil` if none is known.
  ///
  /// The kernel's functions are `open_port` (mem), `devkmsg_open`, `msr_open` and `ppp_open`.
  fileprivate static func demand(of number: DeviceNumber, opened wanted: Permissions) -> Self? {
    switch (number.major, number.minor) {
    case (1, 1), (1, 4): .memory(lockedFrom: .integrity)
    case (202, _): .capability(.rawInputOutput)
    case _ where number == .kernelLog:
      wanted.contains(.read) ? .kernelLog(isAlways: false) : nil
    case _ where number == .ownTerminal: .terminal
    case (108, 0): .capabilityInside(.administerNetwork)
    default: nil
    }
  }

  /// Returns the requirement of a file in procfs; `nil` if none is known.
  ///
  /// The kernel's functions are `open_kcore`, `kmsg_open`, and `proc_mem_open` for the files that
  /// show the memory of a process.
  private static func demand(of parts: [Substring]) -> Self? {
    guard let first = parts.first, let last = parts.last else { return nil }
    if parts.count == 1 {
      switch last {
      case "kcore": return .memory(lockedFrom: .confidentiality)
      case "kmsg": return .kernelLog(isAlways: true)
      default: return nil
      }
    }
    let isOfProcess = first.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    let isOfTask = parts.count == 4 && parts[1] == "task"
    guard isOfProcess, parts.count == 2 || isOfTask, memoryFiles.contains(last) else { return nil }
    return .tracing
  }

  private static let memoryFiles: Set<Substring> = [
    "auxv", "environ", "maps", "mem", "numa_maps", "pagemap", "smaps", "smaps_rollup",
  ]

  /// Returns whether a subject meets the requirement.
  func isMet(by subject: Subject, _ confinement: borrowing ConfinementFacts) -> Ternary {
    let credentials = Credentials(effectiveOf: subject)
    let isInitial: Ternary =
      subject.unobserved.contains(.userns) ? .maybe : Ternary(subject.userNamespace == nil)
    switch self {
    case .capability(let capability): return credentials.has(capability).and(isInitial)
    case .memory(let level):
      let isOpen = confinement.lockdown.map { Ternary($0 < level) } ?? .maybe
      return credentials.has(.rawInputOutput).and(isInitial).and(isOpen)
    case .capabilityInside(let capability): return credentials.has(capability)
    case .kernelLog(let isAlways):
      if !isAlways, confinement.restrictsKernelLog == false { return .yes }
      let reader = credentials.has(.readKernelLog).and(isInitial)
      // For historical reasons, some kernels also accept this capability.
      let administrator = credentials.has(.administerSystem).and(isInitial).and(.maybe)
      let isKnown = isAlways || confinement.restrictsKernelLog != nil
      return max(reader, administrator, isKnown ? .no : .maybe)
    case .attribute: return .no
    case .terminal: return confinement.hasTerminal.map { Ternary($0) } ?? .maybe
    // The permission to trace depends on the other process, which is not part of the facts.
    case .tracing: return max(credentials.has(.traceProcesses).and(isInitial), .maybe)
    }
  }
}

extension Node {
  /// A Boolean value that indicates whether the node is the kernel log device, as `/dev/kmsg` is.
  package var isKernelLog: Bool { type == .characterDevice && rdev == .kernelLog }

  /// A Boolean value that indicates whether the node is `/dev/tty`, the opener's controlling
  /// terminal.
  package var isOwnTerminal: Bool { type == .characterDevice && rdev == .ownTerminal }

  /// A Boolean value that indicates whether kernel lockdown may prevent even root from opening the
  /// node.
  package var mayBeLockedDown: Bool {
    switch type {
    case .characterDevice:
      if let rdev, case .memory = OpeningDemand.demand(of: rdev, opened: .read) {
        true
      } else {
        false
      }
    case .regular: path.hasSuffix("/kcore")
    default: false
    }
  }

  /// The read and write permissions that the mode grants to at least one class.
  fileprivate var anyBits: Permissions {
    var bits: Permissions = []
    if mode & 0o444 != 0 { bits.insert(.read) }
    if mode & 0o222 != 0 { bits.insert(.write) }
    return bits
  }
}

extension DeviceNumber {
  /// The number of `/dev/kmsg` (`devlist` in drivers/char/mem.c).
  fileprivate static let kernelLog = DeviceNumber(major: 1, minor: 11)

  /// The number of `/dev/tty` (`tty_init`).
  fileprivate static let ownTerminal = DeviceNumber(major: 5, minor: 0)
}

extension OpeningDemand {
  /// The error with which the open fails.
  var errno: Errno {
    switch self {
    case .capability, .memory, .capabilityInside, .kernelLog: .notPermitted
    case .terminal: .noSuchAddress
    case .attribute, .tracing: .permissionDenied
    }
  }

  /// Returns the requirement as a clause about the object.
  func words(_ confinement: borrowing ConfinementFacts) -> String {
    switch self {
    case .capability(let capability):
      "its driver asks for \(capability.constant) in the initial user namespace"
    case .memory(let level):
      switch confinement.lockdown {
      case let lockdown? where lockdown >= level:
        "the kernel is locked down (\(lockdown.rawValue)) and does not open it (kernel_lockdown(7))"
      case nil:
        """
        the kernel asks for \(Capability.rawInputOutput.constant) in the initial user namespace, and \
        may not be locked down (kernel_lockdown(7)), which is not known
        """
      default:
        "the kernel asks for \(Capability.rawInputOutput.constant) in the initial user namespace"
      }
    case .capabilityInside(let capability): "its driver asks for \(capability.constant)"
    case .kernelLog(isAlways: true):
      "the kernel asks for \(Capability.readKernelLog.constant) in the initial user namespace"
    case .kernelLog(isAlways: false):
      """
      to read it, its driver asks for \(Capability.readKernelLog.constant) in the initial user \
      namespace where kernel.dmesg_restrict is set
      """
    case .attribute(let missing):
      """
      its mode has no \(missing.contains(.write) ? "write" : "read") bit, which sysfs requires \
      whatever capabilities the process has
      """
    case .terminal:
      confinement.hasTerminal == false
        ? "the process has no controlling terminal (tty(4))"
        : "it is the controlling terminal, and whether the process has one is not known (tty(4))"
    case .tracing: "the kernel asks whether the process may trace that one (ptrace(2))"
    }
  }

  /// Returns the capability that would meet the requirement; `nil` if there is none.
  func capability(_ confinement: borrowing ConfinementFacts) -> Capability? {
    switch self {
    case .capability(let capability), .capabilityInside(let capability): capability
    case .memory(let level):
      if let lockdown = confinement.lockdown, lockdown >= level { nil } else { .rawInputOutput }
    case .kernelLog: .readKernelLog
    case .attribute, .terminal: nil
    case .tracing: .traceProcesses
    }
  }
}

extension Comparison {
  /// Withdraws a grant if opening the object has a further requirement that the subject may not
  /// meet, and keeps that requirement.
  ///
  /// An actual attempt to open the object is better evidence than the known requirements of
  /// drivers, so that a requirement only explains its failure.
  ///
  /// - Parameters:
  ///   - facts: The observed facts.
  ///   - access: The case of the object.
  ///   - decision: The decision of the model.
  ///   - attempt: The result of opening the object; `nil` if it was not tried.
  mutating func limit(
    byDemandOf facts: borrowing AccessFacts, _ access: borrowing AccessCase,
    _ decision: borrowing Decision, attempt: Attempt?
  ) {
    guard let step = decision.steps.last, let demand = access.demand(for: access.request, at: step)
    else { return }
    if let attempt {
      explain(attempt, by: demand, of: facts, access, decision)
      return
    }
    guard conclusion == .granted else { return }
    switch demand.isMet(by: access.subject, facts.confinement) {
    case .yes: return
    case .no:
      conclusion = .refused(errno: demand.errno)
      certainty = .predicted
    case .maybe:
      conclusion = .undecided
      certainty = .undecided
    }
    unmetDemand = demand
  }

  /// Keeps a requirement that explains why an attempt failed.
  ///
  /// If it is not known whether the subject meets the requirement, a seccomp filter could have
  /// refused the call as well.
  private mutating func explain(
    _ attempt: Attempt, by demand: OpeningDemand, of facts: borrowing AccessFacts,
    _ access: borrowing AccessCase, _ decision: borrowing Decision
  ) {
    guard case .refused = conclusion, decision.isGranted, attempt.operation == .open,
      attempt.errno == demand.errno
    else { return }
    switch demand.isMet(by: access.subject, facts.confinement) {
    case .no: unmetDemand = demand
    case .maybe where facts.confinement.seccompMode != 2: unmetDemand = demand
    case .maybe, .yes: return
    }
  }
}

extension Comparison {
  /// Withdraws the grant of a file or device that no known interface gives to a strict snap.
  ///
  /// The snap's profile is applied when the file is opened, and faccessat2(2) does not check it.
  mutating func limit(
    bySnapPolicyOf facts: borrowing AccessFacts, _ access: borrowing AccessCase
  ) {
    guard conclusion == .granted, facts.attempts.isEmpty,
      facts.snapHides(access.request.path)
    else { return }
    conclusion = .undecided
    certainty = .undecided
  }
}

extension Comparison {
  /// Applies the refusal of a FUSE filesystem that another user mounted without `allow_other`.
  ///
  /// The kernel compares every user and group ID of the subject before it checks any mode
  /// (`fuse_allow_current_process`). A parameter of the module can exempt `CAP_SYS_ADMIN`.
  mutating func limit(
    byClosedFuseOf access: borrowing AccessCase, _ decision: borrowing Decision, isAsked: Bool
  ) {
    guard conclusion == .undecided, !isAsked, case .undecided = decision.outcome,
      let place = decision.at ?? decision.steps.last?.path,
      let options = access.mount(of: place)?.fuse, !options.allowsOthers,
      !access.subject.effective.contains(.administerSystem)
    else { return }
    if case .open(_, let flags) = access.request, flags.contains(.path) { return }
    let subject = access.subject
    let isOwner = [subject.ruid, subject.euid, subject.suid].allSatisfy { $0 == options.user }
    guard !isOwner, subject.fsuid != options.user else { return }
    conclusion = .refused(errno: .permissionDenied)
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

  /// Returns whether the subject does not or might not meet the requirement of another request.
  func mayLackDemand(
    for request: Request, at step: Step?, _ confinement: borrowing ConfinementFacts
  ) -> Bool {
    guard let step, let demand = demand(for: request, at: step) else { return false }
    return demand.isMet(by: subject, confinement) != .yes
  }
}
