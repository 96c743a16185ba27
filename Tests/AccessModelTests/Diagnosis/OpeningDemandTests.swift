import AccessModel
import Testing

@Suite struct `What opening an object asks for behind the permissions` {
  /// Explains to alice an object that all users may access according to its mode.
  private func explain(
    _ path: String, number: (UInt32, UInt32)? = nil, mode: UInt16 = 0o666,
    _ wanted: Permissions = [.read, .write], mount: Mount = Mount(at: "/dev", fstype: "devtmpfs"),
    change: (inout AccessFacts) -> Void = { _ in }
  ) throws -> Explanation {
    let facts = Fixtures.camera.with {
      $0.removeDevices()
      $0.ask(path, number == nil ? .regular : .characterDevice, mode: mode, wanted: wanted)
      $0.node(path) { $0.rdev = number.map { DeviceNumber(major: $0.0, minor: $0.1) } }
      $0.facts.access.mounts[1] = mount
      change(&$0.facts)
    }.facts
    // The facts are encoded and decoded first, which must not change the answer.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  /// Gives the subject capabilities on a kernel without lockdown, either in the initial user
  /// namespace or in another one.
  private static func hold(
    _ capabilities: CapabilitySet, inside: Bool = false
  ) -> (inout AccessFacts) -> Void {
    { facts in
      facts.access.subject.permitted = capabilities
      facts.access.subject.effective = capabilities
      facts.confinement.lockdown = .off
      if inside {
        let ids = IDMap([IDMap.Range(inside: 0, outside: 0, length: 100_000)])
        facts.access.subject.userNamespace = IDMapping(users: ids, groups: ids)
      }
    }
  }

  @Test(arguments: [("/dev/mem", 1, 1), ("/dev/port", 1, 4), ("/dev/cpu/7/msr", 202, 7)])
  func `the memory of the machine takes a capability outside of user namespaces`(
    path: String, major: UInt32, minor: UInt32
  ) throws {
    let refused = try explain(path, number: (major, minor))
    #expect(refused.answer == .refused && refused.status == .restricted)
    #expect(refused.certainty == .predicted)
    #expect(refused.cause?.code == .openFailed)
    #expect(refused.decision.outcome == .denied(errno: .notPermitted))
    #expect(refused.cause?.summary.contains("CAP_SYS_RAWIO") == true)
    // Fixes must not expose the memory of all processes.
    let remedies = major == 1 ? [] : ["Start the program with CAP_SYS_RAWIO"]
    #expect(refused.remedies.map(\.title) == remedies)
    let inside = try explain(
      path, number: (major, minor), change: Self.hold([.rawInputOutput], inside: true))
    #expect(inside.answer == .refused)
    #expect(
      try explain(path, number: (major, minor), change: Self.hold([.rawInputOutput])).answer
        == .allowed)
    let unseen = try explain(path, number: (major, minor)) {
      $0.access.subject.unobserved = [.capabilities]
    }
    #expect(unseen.answer == .undetermined && unseen.cause?.code == .unknown)
    #expect(unseen.cause?.summary.contains("CAP_SYS_RAWIO") == true)
  }

  @Test(
    arguments: [
      ("/dev/mem", 1, LockdownLevel.integrity), ("/dev/port", 4, .integrity),
      ("/proc/kcore", nil, .confidentiality),
    ] as [(String, UInt32?, LockdownLevel)])
  func `a kernel that is locked down opens its memory for nobody`(
    path: String, minor: UInt32?, first: LockdownLevel
  ) throws {
    let number = minor.map { (UInt32(1), $0) }
    for level in LockdownLevel.allCases + [nil] {
      func ask(_ held: CapabilitySet) throws -> Explanation {
        try explain(path, number: number, .read, mount: Mount(at: "/proc", fstype: "proc")) {
          Self.hold(held)(&$0)
          $0.confinement.lockdown = level
          // procfs has its own rules, which the kernel's check covers.
          $0.kernelChecks = [KernelCheck(path: path, mode: .read, errno: .success)]
        }
      }
      let root = try ask([.rawInputOutput])
      let answer: Answer =
        if let level { level < first ? .allowed : .refused } else { .undetermined }
      #expect(root.answer == answer, "\(path) \(level?.rawValue ?? "unknown")")
      let isLocked = answer == .refused
      let summary = root.cause?.summary
      #expect(summary?.contains("locked down (\(level?.rawValue ?? ""))") ?? false == isLocked)
      // Without the capability, access is refused in any case, and the capability is not a
      // sufficient fix.
      let other = try ask([])
      #expect(other.answer == .refused)
      #expect(
        other.cause?.summary.contains(isLocked ? "is locked down" : "CAP_SYS_RAWIO") == true)
      if isLocked { #expect(other.remedies == []) }
    }
  }

  @Test func `a terminal of its own is what the terminal of a process leads to`() throws {
    func ask(_ hasTerminal: Bool?) throws -> Explanation {
      try explain("/dev/tty", number: (5, 0)) { $0.confinement.hasTerminal = hasTerminal }
    }
    #expect(try ask(true).answer == .allowed)
    let refused = try ask(false)
    #expect(refused.answer == .refused && refused.remedies == [])
    #expect(refused.decision.outcome == .denied(errno: .noSuchAddress))
    #expect(refused.cause?.summary.contains("has no controlling terminal") == true)
    #expect(try ask(nil).answer == .undetermined)
  }

  @Test func `lockdown is read from what the kernel writes`() {
    #expect(LockdownLevel(marked: "none [integrity] confidentiality") == .integrity)
    #expect(LockdownLevel(marked: "[none] integrity confidentiality") == .off)
    #expect(LockdownLevel(marked: "none integrity [confidentiality]") == .confidentiality)
    for text in ["", "none integrity confidentiality", "[all]"] {
      #expect(LockdownLevel(marked: text) == nil)
    }
    #expect(LockdownLevel.allCases.sorted() == [.off, .integrity, .confidentiality])
  }

  /// A group that may open the node does not help here, so it is not a fix.
  @Test func `what the mode would then give is no way in`() throws {
    let refused = try explain("/dev/mem", number: (1, 1), mode: 0o640, .read)
    #expect(refused.answer == .refused && refused.cause?.code == .modeOwner)
    #expect(refused.remedies.allSatisfy { $0.commands.isEmpty }, "\(refused.remedies)")
  }

  @Test func `the own network is enough for PPP`() throws {
    #expect(try explain("/dev/ppp", number: (108, 0)).answer == .refused)
    let inside = try explain(
      "/dev/ppp", number: (108, 0), change: Self.hold([.administerNetwork], inside: true))
    #expect(inside.answer == .allowed)
  }

  @Test func `the kernel's log is restricted by a setting, and to readers`() throws {
    func ask(_ wanted: Permissions, _ isRestricted: Bool?, _ held: CapabilitySet = []) throws
      -> Answer
    {
      try explain("/dev/kmsg", number: (1, 11), wanted) {
        Self.hold(held)(&$0)
        $0.confinement.restrictsKernelLog = isRestricted
      }.answer
    }
    #expect(try ask(.read, true) == .refused)
    #expect(try ask(.read, false) == .allowed)
    #expect(try ask(.read, nil) == .undetermined)
    #expect(try ask(.read, true, [.readKernelLog]) == .allowed)
    #expect(try ask(.read, true, [.administerSystem]) == .undetermined)
    #expect(try ask(.write, true) == .allowed)
    // Only writing remains possible. The driver allows it, if the kernel's check confirmed it.
    #expect(try ask([.read, .write], true) == .refused)
    for (isAsked, status) in [(false, PermissionStatus.restricted), (true, .limited)] {
      let both = try explain("/dev/kmsg", number: (1, 11)) {
        $0.confinement.restrictsKernelLog = true
        for mode in isAsked ? [Permissions.read, .write, [.read, .write]] : [] {
          $0.kernelChecks.append(KernelCheck(path: "/dev/kmsg", mode: mode, errno: .success))
        }
      }
      #expect(both.status == status)
      #expect(both.decision.outcome == .denied(errno: .notPermitted))
    }
  }

  @Test func `no capability writes an attribute without a bit to write`() throws {
    let all = Self.hold(.all)
    func ask(_ mode: UInt16, _ wanted: Permissions) throws -> Explanation {
      try explain(
        "/sys/kernel/uevent_seqnum", mode: mode, wanted, mount: Mount(at: "/sys", fstype: "sysfs"),
        change: all)
    }
    let refused = try ask(0o444, .write)
    #expect(refused.answer == .refused && refused.status == .restricted)
    #expect(refused.decision.outcome == .denied(errno: .permissionDenied))
    #expect(refused.remedies.isEmpty)
    #expect(try ask(0o444, .read).answer == .allowed)
    #expect(try ask(0o200, .read).answer == .refused)
    #expect(try ask(0o644, .write).answer == .allowed)
  }

  @Test func `whether a process may be traced is not known of its memory`() throws {
    func scan(_ path: String, _ held: CapabilitySet = []) throws -> Explanation {
      try explain(path, mode: 0o444, .read, mount: Mount(at: "/proc", fstype: "proc")) {
        Self.hold(held)(&$0)
        $0.kernelChecks = [KernelCheck(path: path, mode: .read, errno: .success)]
      }
    }
    func ask(_ path: String, _ held: CapabilitySet = []) throws -> Answer {
      try scan(path, held).answer
    }
    // The kernel's check covers the rules of procfs that the model does not know.
    #expect(try scan("/proc/1/maps").cause?.summary.contains("trace") == true)
    #expect(try ask("/proc/1/maps") == .undetermined)
    #expect(try ask("/proc/1/task/1/environ") == .undetermined)
    #expect(try ask("/proc/1/maps", [.traceProcesses]) == .allowed)
    #expect(try ask("/proc/1/status") == .allowed)
    #expect(try ask("/proc/kcore") == .refused)
    #expect(try ask("/proc/kcore", [.rawInputOutput]) == .allowed)
  }

  @Test func `what opening it came to says more`() throws {
    let opened = try explain("/dev/mem", number: (1, 1), .read) {
      $0.attempts = [Attempt(path: "/dev/mem", flags: [.readOnly], errno: .success)]
    }
    #expect(opened.answer == .allowed)
  }
}
