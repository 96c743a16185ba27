/// What a driver or a filesystem asks for when one of its objects is opened, behind every permission.
///
/// The kernel's own check (faccessat2(2)) does not come that far: these conditions are in the `open`
/// of the object's `file_operations`, which `do_dentry_open` calls last.
enum OpeningDemand: Hashable, Sendable {
  /// A capability in the initial user namespace (`capable`), or `EPERM`.
  case capability(Capability)
  /// `CAP_SYS_RAWIO` so, and a kernel that is locked down less than that (`security_locked_down`), or
  /// `EPERM`.
  case memory(lockedFrom: LockdownLevel)
  /// A capability in the namespace of whoever opens it (`ns_capable`), or `EPERM`.
  case capabilityInside(Capability)
  /// To read the kernel's log, where the setting restricts it (`check_syslog_permissions`).
  case kernelLog(isAlways: Bool)
  /// A permission that no bit of an attribute's mode gives, which is refused even to those who
  /// override modes (`kernfs_fop_open`).
  case attribute(Permissions)
  /// A controlling terminal (`tty_open_current_tty`), or `ENXIO`.
  case terminal
  /// To be allowed to trace the process whose file it is (`ptrace_may_access`).
  case tracing

  /// The demand on an object that is opened so; `nil` where none is known.
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

  /// What the drivers ask: `open_port` (mem), `devkmsg_open`, `msr_open` and `ppp_open`.
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

  /// What the files of procfs ask: `open_kcore`, `kmsg_open`, and `proc_mem_open` of those that show
  /// the memory of a process.
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

  /// Whether a subject meets it.
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
      // Some kernels take this one as well, for historical reasons.
      let administrator = credentials.has(.administerSystem).and(isInitial).and(.maybe)
      let isKnown = isAlways || confinement.restrictsKernelLog != nil
      return max(reader, administrator, isKnown ? .no : .maybe)
    case .attribute: return .no
    case .terminal: return confinement.hasTerminal.map { Ternary($0) } ?? .maybe
    // Who may trace whom depends on the process, which the facts do not hold.
    case .tracing: return max(credentials.has(.traceProcesses).and(isInitial), .maybe)
    }
  }
}

extension Node {
  /// Whether it is the device that holds the kernel's log, as `/dev/kmsg`.
  package var isKernelLog: Bool { type == .characterDevice && rdev == .kernelLog }

  /// Whether it is `/dev/tty`, which stands for the terminal of whoever opens it.
  package var isOwnTerminal: Bool { type == .characterDevice && rdev == .ownTerminal }

  /// Whether lockdown of the kernel may keep root from it.
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

  /// What the mode gives to somebody, whoever that is.
  fileprivate var anyBits: Permissions {
    var bits: Permissions = []
    if mode & 0o444 != 0 { bits.insert(.read) }
    if mode & 0o222 != 0 { bits.insert(.write) }
    return bits
  }
}

extension DeviceNumber {
  /// That of `/dev/kmsg` (`devlist` of drivers/char/mem.c).
  fileprivate static let kernelLog = DeviceNumber(major: 1, minor: 11)

  /// That of `/dev/tty` (`tty_init`).
  fileprivate static let ownTerminal = DeviceNumber(major: 5, minor: 0)
}
