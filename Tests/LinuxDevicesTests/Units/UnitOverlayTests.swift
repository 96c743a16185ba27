import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A unit with a sandbox of its own` {
  /// Returns a case with a camera and files in home directories, /srv and elsewhere, all
  /// world-writable.
  private func access(_ path: String) -> AccessCase {
    let directories = [
      "/", "/dev", "/home", "/home/ann", "/srv", "/srv/a", "/root", "/proc", "/proc/sys",
      "/proc/sys/kernel", "/sys", "/sys/fs", "/sys/fs/cgroup", "/usr", "/usr/lib",
      "/usr/lib/modules", "/dev/mqueue", "/var", "/var/lib", "/var/lib/a",
    ]
    var nodes = directories.map { Node(path: $0, type: .directory, mode: 0o755, uid: 0, gid: 0) }
    var camera = Node(path: "/dev/video0", type: .characterDevice, mode: 0o666, uid: 0, gid: 44)
    camera.rdev = DeviceNumber(major: 81, minor: 0)
    nodes.append(camera)
    camera.path = "/dev/kmsg"
    camera.rdev = DeviceNumber(major: 1, minor: 11)
    nodes.append(camera)
    nodes += [
      "/home/ann/x", "/srv/a/x", "/srv/x", "/proc/sysrq-trigger", "/proc/sys/kernel/hostname",
      "/sys/x", "/sys/fs/cgroup/x", "/usr/lib/modules/x", "/usr/x", "/dev/mqueue/x",
      "/var/lib/a/x",
    ].map {
      Node(path: $0, type: .regular, mode: 0o666, uid: 1000, gid: 1000)
    }
    return UnitCase.access(
      nodes, .open(path: path, flags: [.readWrite]))
  }

  private func outcome(
    _ lines: String, _ path: String, places: UnitPathResolver = UnitPathResolver { _ in .other },
    isRunning: Bool = false, permissions: Permissions? = nil, modules: [String]? = nil
  ) throws -> String {
    let settings = try UnitCase.settings(lines)
    var overlay = UnitOverlay(
      settings, roots: MachineRoots(), isRunning: isRunning, securityModules: modules,
      places: places)
    var access = access(path)
    if let permissions {
      access.request = .access(path: path, mode: permissions, effective: true, noFollow: false)
    }
    overlay.apply(to: &access)
    if overlay.unobserved.contains(where: { $0.layer == Unobserved.restrictionsLayer }) {
      return "doubted"
    }
    return UnitCase.outcome(access)
  }

  @Test(arguments: [
    ("", "/home/ann/x", "granted"), ("ProtectHome=yes", "/home/ann/x", "13 mode.other"),
    ("ProtectHome=tmpfs", "/home/ann/x", "2 walk.noent"),
    ("ProtectHome=read-only", "/home/ann/x", "30 mount.readonly"),
    ("ProtectHome=read-only\nReadWritePaths=/home/ann", "/home/ann/x", "granted"),
    ("ProtectHome=yes", "/srv/x", "granted"), ("ProtectSystem=strict", "/home/ann/x", "granted"),
    ("ProtectSystem=strict", "/srv/x", "30 mount.readonly"),
    ("ProtectSystem=strict", "/dev/video0", "granted"),
    ("ProtectSystem=full", "/srv/x", "granted"),
    ("ProtectSystem=strict\nReadWritePaths=/srv/a", "/srv/a/x", "granted"),
    ("ProtectSystem=strict\nReadWritePaths=/srv/a", "/srv/x", "30 mount.readonly"),
    ("ProtectSystem=strict\nStateDirectory=a", "/var/lib/a/x", "granted"),
    ("ProtectSystem=strict\nStateDirectory=b", "/var/lib/a/x", "30 mount.readonly"),
    ("ProtectSystem=strict\nCacheDirectory=a", "/var/lib/a/x", "30 mount.readonly"),
    ("ReadOnlyPaths=/var/lib/a\nStateDirectory=a", "/var/lib/a/x", "30 mount.readonly"),
    ("ReadOnlyPaths=/var/lib/a/x\nStateDirectory=a", "/var/lib/a/x", "30 mount.readonly"),
    ("InaccessiblePaths=/var/lib/a\nStateDirectory=a", "/var/lib/a/x", "13 mode.other"),
    ("ReadOnlyPaths=/srv", "/srv/a/x", "30 mount.readonly"),
    ("InaccessiblePaths=/srv", "/srv/a/x", "13 mode.other"),
    ("InaccessiblePaths=-/srv/a/x", "/srv/a/x", "13 mode.other"),
    ("InaccessiblePaths=/dev/video0", "/dev/video0", "13 mount.nodev"),
    ("PrivateDevices=yes", "/dev/video0", "2 walk.noent"),
    ("PrivateDevices=yes\nBindPaths=-/dev/video0", "/dev/video0", "1 devcg"),
    ("PrivateDevices=yes\nBindPaths=/dev/a:/dev/video0", "/dev/video0", "undecided"),
    (
      "PrivateDevices=yes\nBindPaths=/dev/video0\nInaccessiblePaths=/dev/video0", "/dev/video0",
      "undecided"
    ),
    ("DevicePolicy=closed", "/dev/video0", "1 devcg"),
    ("BindPaths=/x:/srv", "/srv/a/x", "undecided"),
    ("BindPaths=/x:/srv", "/home/ann/x", "granted"), ("RootDirectory=/y", "/srv/x", "undecided"),
    ("RootDirectory=/", "/srv/x", "granted"), ("PrivateTmp=yes", "/srv/x", "granted"),
  ])
  func `sees directories as its settings leave them`(
    settings: String, path: String, expected: String
  ) throws {
    #expect(try outcome(settings, path) == expected)
  }

  @Test(arguments: [
    ("ProtectKernelTunables=yes", "/proc/sysrq-trigger", "30 mount.readonly"),
    ("ProtectKernelTunables=yes", "/sys/x", "30 mount.readonly"),
    ("ProtectKernelTunables=yes", "/sys/fs/cgroup/x", "granted"),
    ("ProtectKernelTunables=yes", "/srv/x", "granted"),
    ("ProtectKernelTunables=yes\nProtectKernelTunables=no", "/sys/x", "granted"),
    ("ProtectControlGroups=yes", "/sys/fs/cgroup/x", "30 mount.readonly"),
    ("ProtectControlGroups=strict", "/sys/fs/cgroup/x", "undecided"),
    ("ProtectControlGroups=strict", "/sys/x", "granted"),
    ("ProtectControlGroups=yes", "/sys/x", "granted"),
    ("ProtectHostname=yes", "/proc/sys/kernel/hostname", "30 mount.readonly"),
    ("ProtectHostname=private", "/proc/sys/kernel/hostname", "undecided"),
    ("ProtectKernelLogs=yes", "/dev/kmsg", "13 mount.nodev"),
    ("ProtectKernelLogs=yes", "/dev/video0", "granted"),
    ("ProtectKernelModules=yes", "/usr/lib/modules/x", "13 mode.other"),
    ("ProtectKernelModules=yes", "/usr/x", "granted"),
    ("PrivateIPC=yes", "/dev/mqueue/x", "undecided"), ("PrivateIPC=yes", "/dev/video0", "granted"),
    ("ProtectProc=invisible", "/proc/sysrq-trigger", "undecided"),
    ("ProcSubset=pid", "/proc/sysrq-trigger", "undecided"),
    ("PrivatePIDs=yes", "/proc/sysrq-trigger", "undecided"),
    ("ProtectProc=invisible\nProtectProc=default", "/proc/sysrq-trigger", "granted"),
    ("ExtensionImages=/e.raw", "/usr/x", "undecided"),
    ("ExtensionDirectories=/e", "/usr/x", "undecided"),
    ("ExtensionImages=/e.raw", "/srv/x", "granted"),
    ("ExtensionImages=/e.raw\nExtensionImages=", "/usr/x", "granted"),
    ("MountImages=/m.img:/srv", "/srv/x", "undecided"),
    ("RestrictFileSystems=ext4", "/srv/x", "doubted"),
    ("RestrictFileSystems=ext4\nRestrictFileSystems=", "/srv/x", "granted"),
    ("SystemCallFilter=~openat", "/srv/x", "doubted"),
    ("DeviceAllow=/dev/x rz", "/dev/video0", "doubted"),
    ("DeviceAllow=/dev/x rz", "/srv/x", "granted"), ("DevicePolicy=some", "/srv/x", "granted"),
    ("BPFProgram=device:/x", "/dev/video0", "doubted"),
    ("BPFProgram=device:/x", "/srv/x", "granted"),
    ("BPFProgram=egress:/x", "/dev/video0", "granted"),
    ("NoExecPaths=/\nExecPaths=/usr", "/srv/x", "granted"),
    ("MountFlags=slave\nBindLogSockets=yes\nRootHash=00", "/srv/x", "granted"),
  ])
  func `sees interfaces of the kernel and its filters as its settings leave them`(
    settings: String, path: String, expected: String
  ) throws {
    #expect(try outcome(settings, path) == expected)
  }

  @Test(
    arguments: [
      (["landlock", "bpf"], "doubted"), (["landlock", "apparmor"], "granted"), (nil, "doubted"),
    ] as [([String]?, String)])
  func `may be kept from file systems where the kernel asks programs`(
    modules: [String]?, expected: String
  ) throws {
    #expect(try outcome("RestrictFileSystems=ext4", "/srv/x", modules: modules) == expected)
  }

  /// Common settings of services in distributions.
  @Test(arguments: ["/dev/video0", "/srv/x"])
  func `keeps what settings for other purposes leave`(path: String) throws {
    let settings = """
      CapabilityBoundingSet=CAP_SYS_TIME
      DeviceAllow=char-* rw
      IPAddressDeny=any
      LockPersonality=yes
      MemoryDenyWriteExecute=yes
      NoNewPrivileges=yes
      PrivateIPC=yes
      PrivateMounts=yes
      PrivateNetwork=yes
      PrivateTmp=yes
      ProtectClock=yes
      ProtectControlGroups=yes
      ProtectHome=yes
      ProtectHostname=yes
      ProtectKernelLogs=yes
      ProtectKernelModules=yes
      ProtectKernelTunables=yes
      ProtectProc=invisible
      ProcSubset=pid
      ProtectSystem=full
      RestrictAddressFamilies=AF_UNIX
      RestrictNamespaces=yes
      RestrictRealtime=yes
      RestrictSUIDSGID=yes
      RuntimeDirectory=x
      StateDirectory=x
      SystemCallArchitectures=native
      SystemCallErrorNumber=EPERM
      SystemCallFilter=@system-service
      SystemCallFilter=~@privileged @resources
      """
    #expect(try outcome(settings, path) == "granted")
  }

  @Test(arguments: [
    ("NoExecPaths=/", Permissions.execute, "/srv/x", "doubted"),
    ("NoExecPaths=/", .read, "/srv/x", "granted"), ("NoExecPaths=/", .search, "/srv/a", "granted"),
    ("NoExecPaths=/\nNoExecPaths=", .execute, "/srv/a", "granted"),
  ])
  func `may be kept from running programs alone`(
    settings: String, permissions: Permissions, path: String, expected: String
  ) throws {
    #expect(try outcome(settings, path, permissions: permissions) == expected)
  }

  @Test(arguments: [
    ("ReadWritePaths=/gone", "doubted"), ("ReadWritePaths=-/gone", "granted"),
    ("InaccessiblePaths=/gone", "doubted"), ("BindPaths=/gone:/x", "doubted"),
    ("BindPaths=-/gone:/x", "granted"), ("BindReadOnlyPaths=/x:/gone", "granted"),
    ("MountImages=/gone:/x", "doubted"), ("BindPaths=/closed:/x", "granted"),
    ("ReadWritePaths=/closed", "granted"),
  ])
  func `cannot start where something is missing, unless it runs`(
    settings: String, expected: String
  ) throws {
    let places = UnitPathResolver { path in
      switch path {
      case "/gone": .missing
      case "/closed": .unseen(.permissionDenied)
      default: .other
      }
    }
    #expect(try outcome(settings, "/srv/x", places: places) == expected)
    #expect(try outcome(settings, "/srv/x", places: places, isRunning: true) == "granted")
  }

  @Test(arguments: [("", false, true), ("-", false, false), ("", true, false)])
  func `is told to need a path that cannot be seen`(
    mark: String, isRunning: Bool, isReported: Bool
  ) throws {
    let file = UnitFile(parsing: Array("[Service]\nReadWritePaths=\(mark)/closed/x".utf8))
    let settings = UnitSettingsReader.settings(of: try #require(UnitName("x")), files: [file])
    var overlay = UnitOverlay(
      settings, roots: MachineRoots(), isRunning: isRunning,
      places: UnitPathResolver { $0 == "/closed/x" ? .unseen(.permissionDenied) : .other })
    var access = access("/srv/x")
    overlay.apply(to: &access)
    #expect(overlay.unobserved.map(\.at) == (isReported ? ["/closed/x"] : []))
    #expect(overlay.unobserved.allSatisfy { $0.layer == "unit-settings" })
  }

  @Test(arguments: [
    ("InaccessiblePaths=/srv/link", "/srv/a/x", "13 mode.other"),
    ("InaccessiblePaths=/srv/link", "/srv/x", "granted"),
    ("ReadOnlyPaths=/srv/link", "/srv/a/x", "30 mount.readonly"),
    ("ReadOnlyPaths=/\nReadWritePaths=/srv/link", "/srv/a/x", "granted"),
    ("BindPaths=/y:/srv/link", "/srv/a/x", "undecided"),
    ("TemporaryFileSystem=/srv/link", "/srv/a/x", "undecided"),
    ("BindPaths=/y:/srv/link", "/srv/x", "granted"),
    ("TemporaryFileSystem=/", "/srv/a/x", "undecided"),
    ("PrivateTmp=yes", "/srv/a/x", "undecided"),
    ("InaccessiblePaths=/closed/y", "/srv/x", "doubted"),
    ("ReadOnlyPaths=/closed/y", "/srv/x", "doubted"),
    ("ReadWritePaths=/closed/y", "/srv/x", "granted"),
    ("BindPaths=/y:/closed/y", "/srv/x", "doubted"),
    ("BindPaths=/y:/srv\nInaccessiblePaths=/srv/link", "/home/ann/x", "doubted"),
  ])
  func `sees what the links in its settings lead to`(
    settings: String, path: String, expected: String
  ) throws {
    let places = UnitPathResolver { path in
      switch path {
      case "/srv/link": .link(to: "a")
      case "/tmp": .link(to: "srv/a")
      case "/closed/y": .unseen(.permissionDenied)
      default: .other
      }
    }
    #expect(try outcome(settings, path, places: places) == expected)
  }

  @Test(arguments: [
    ("PrivateDevices=yes", "/dev/video0", CauseCode.unitPrivateDevices, Answer.absent),
    ("DevicePolicy=closed", "/dev/video0", .unitPrivateDevices, .refused),
    ("InaccessiblePaths=/dev/video0", "/dev/video0", .unitInaccessiblePath, .refused),
    ("ProtectHome=yes", "/home/ann/x", .unitProtectHome, .refused),
    ("ProtectHome=tmpfs", "/home/ann/x", .unitProtectHome, .absent),
    ("InaccessiblePaths=/srv/a", "/srv/a/x", .unitInaccessiblePath, .refused),
    ("InaccessiblePaths=/srv/a/x", "/srv/a/x", .unitInaccessiblePath, .refused),
    ("ProtectHome=yes\nUser=root", "/home/ann/x", .unitProtectHome, .absent),
    ("ProtectKernelModules=yes", "/usr/lib/modules/x", .unitInaccessiblePath, .refused),
    ("ProtectKernelLogs=yes", "/dev/kmsg", .unitInaccessiblePath, .refused),
    ("InaccessiblePaths=/home", "/home/ann/x", .unitInaccessiblePath, .refused),
    ("InaccessiblePaths=/home\nUser=root", "/home/ann/x", .unitInaccessiblePath, .absent),
  ])
  func `is restricted by what its settings hide`(
    lines: String, path: String, cause: CauseCode, answer: Answer
  ) throws {
    let settings = try UnitCase.settings(lines)
    var access = access(path)
    if settings.user == "root" {
      access.subject = Subject(uid: 0, gid: 0)
      access.subject.effective = .all
    }
    var overlay = UnitOverlay(settings, roots: MachineRoots())
    overlay.apply(to: &access)
    var facts = AccessFacts(access: access)
    facts.origin = SubjectOrigin(.unit, name: "x.service", source: .files)
    facts.confinement.unit = "x.service"
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/x/video0", subsystem: "video4linux",
      kernelName: "video0")
    device.classify()
    facts.devices = [device]
    let explanation = facts.explain()
    #expect(explanation.answer == answer)
    #expect(explanation.cause?.code == cause)
    #expect(explanation.cause?.isProven == true)
    #expect(explanation.status == .restricted)
    #expect(!explanation.remedies.isEmpty)
    if lines.hasPrefix("ProtectKernel") {
      let setting = String(lines.dropLast(3))
      #expect(
        explanation.remedies.contains { $0.commands.contains { $0.contains("\(setting)no") } })
      #expect(explanation.cause?.summary.hasPrefix(setting) == true)
    }
    // Without the unit's settings and the kernel's setting, nothing prevents access.
    facts.confinement.restrictsKernelLog = false
    facts.access = self.access(path)
    #expect(facts.explain().answer == .allowed)
  }
}
