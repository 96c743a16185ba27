import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The start of a unit` {
  /// Returns the facts of a unit `x.service`, with more files below `/etc/systemd/system`.
  private func facts(
    _ settings: String, path: String = "/dev/null", files: [String: String] = [:],
    mounts: String = ""
  ) throws -> AccessFacts {
    let recorded = try RecordedMachine(
      users: "root:x:0:0::/root:/bin/sh\nann:x:1000:1000::/home/ann:/bin/sh\n",
      groups: "ann:x:1000:\nvideo:x:44:ann\naudio:x:29:\n")
    try recorded.directory.file("etc/systemd/system/x.service", "[Service]\n\(settings)\n")
    for (name, text) in files {
      try recorded.directory.file("etc/systemd/system/\(name)", text)
    }
    try recorded.directory.file("proc/1/status", "CapBnd:\t000001ffffffffff\n")
    try recorded.directory.file(
      "proc/devices", "Character devices:\n  1 mem\n 81 video4linux\n\nBlock devices:\n")
    if !mounts.isEmpty { try recorded.directory.file("proc/thread-self/mountinfo", mounts) }
    let question = Question(.path(path), subject: .unit("x"))
    return try withExtendedLifetime(recorded) { try recorded.machine().facts(for: question) }
  }

  @Test(arguments: [
    ("ExecStart=/bin/x", 1000, 0, ServiceFacts.Start.restricted),
    ("ExecStart=-/bin/x", 1000, 0, .restricted),
    ("ExecStart=!!/bin/x", 1000, 0, .restricted),
    ("ExecStart=!/bin/x", 0, 1, .asRoot),
    ("ExecStart=-!/bin/x", 0, 1, .asRoot),
    ("ExecStart=+/bin/x", 0, 41, .privileged),
    ("ExecStart=@+/bin/x", 0, 41, .privileged),
    ("ExecStart=+/bin/x\nExecStart=\nExecStart=/bin/x", 1000, 0, .restricted),
    ("ExecStart=+/bin/x\nExecStart=/bin/x", 1000, 0, .restricted),
    ("ExecStart=+/bin/x\nExecStart=!/bin/x", 0, 1, .asRoot),
  ])
  func `has the credentials that the prefix leaves`(
    command: String, user: UInt32, capabilities: Int, start: ServiceFacts.Start
  ) throws {
    let facts = try facts("\(command)\nUser=ann\nCapabilityBoundingSet=CAP_CHOWN\nGroup=audio")
    let subject = facts.access.subject
    #expect(subject.fsuid == user)
    #expect(subject.fsgid == (user == 0 ? 0 : 29))
    #expect(subject.effective.members.count >= capabilities)
    #expect(subject.effective.contains(.overrideFileAccess) == (start == .privileged))
    #expect(Set(subject.groups).isSuperset(of: [44]))
    #expect(facts.confinement.service?.start == start)
  }

  @Test func `says that commands differ, and that root may become another`() throws {
    let several = try facts("User=ann\nExecStart=+/x\nExecStart=/x")
    #expect(several.unobserved.contains { $0.layer == "unit-start" })
    let root = try facts("ExecStart=/x")
    #expect(root.unobserved.contains { $0.reason.contains("may change its user") })
    let ann = try facts("User=ann\nExecStart=/x")
    #expect(!ann.unobserved.contains { $0.layer == "unit-start" })
  }

  @Test func `with a plus leaves the sandbox out and the device policy in`() throws {
    let free = try facts("ExecStart=+/x\nInaccessiblePaths=/dev/null\nPrivateUsers=yes")
    #expect(free.access.subject.userNamespace == nil)
    #expect(free.explain().answer == .allowed)
    let bound = try facts("ExecStart=+/x\nDevicePolicy=strict")
    #expect(bound.explain().cause?.code == .unitPrivateDevices)
    let unfiltered = try facts(
      "ExecStart=+/x\nSystemCallFilter=~openat\nReadWritePaths=/nosuchpath")
    #expect(unfiltered.explain().answer == .allowed)
    // Settings that mount something else at the path apply to every command.
    for settings in ["TemporaryFileSystem=/dev", "BindPaths=/srv:/dev/null", "RootImage=/x.img"] {
      #expect(try facts("ExecStart=+/x\n\(settings)").explain().answer == .undetermined)
    }
    let sandboxed = try facts("ExecStart=!/x\nInaccessiblePaths=/dev/null")
    #expect(sandboxed.explain().cause?.code == .unitInaccessiblePath)
  }

  @Test func `gives a dynamic user no number`() throws {
    let facts = try facts("DynamicUser=yes")
    #expect(facts.access.subject.unobserved.contains(.dynamicIDs))
    #expect(facts.explain().answer == .allowed)
    let privileged = try self.facts("DynamicUser=yes\nExecStart=!/x")
    #expect(!privileged.access.subject.unobserved.contains(.dynamicIDs))
    #expect(privileged.access.subject.fsuid == 0)
  }

  // MARK: Slices

  @Test(
    arguments: [
      ("", [:], true),
      ("", ["system.slice.d/a.conf": "[Slice]\nDevicePolicy=strict\n"], false),
      ("Slice=a-b.slice", ["a.slice": "[Slice]\nDevicePolicy=strict\n"], false),
      ("Slice=a-b.slice", ["a-b.slice": "[Slice]\nDeviceAllow=char-video4linux rw\n"], true),
      ("Slice=a.slice", ["a-b.slice": "[Slice]\nDevicePolicy=strict\n"], true),
      ("Slice=a.slice", ["a.slice": "[Service]\nDevicePolicy=strict\n"], true),
      ("", ["-.slice": "[Slice]\nDevicePolicy=strict\n"], false),
      (
        "DevicePolicy=strict\nDeviceAllow=/dev/null rw",
        ["system.slice": "[Slice]\nDevicePolicy=strict\nDeviceAllow=/dev/null r\n"], false
      ),
      (
        "DevicePolicy=strict\nDeviceAllow=/dev/null rw",
        ["system.slice": "[Slice]\nDevicePolicy=strict\nDeviceAllow=char-mem rw\n"], true
      ),
    ] as [(String, [String: String], Bool)])
  func `is bound by the slices above`(
    settings: String, files: [String: String], isAllowed: Bool
  ) throws {
    let facts = try facts(settings, files: files)
    let explanation = facts.explain()
    #expect(explanation.answer == (isAllowed ? .allowed : .refused))
    if !isAllowed {
      #expect(explanation.cause?.code == .unitPrivateDevices)
      #expect(explanation.cause?.summary.contains(".slice") == true)
    }
  }

  @Test func `is told of doubts about a slice for devices alone`() throws {
    let files = ["system.slice.d/a.conf": "[Slice]\nDeviceAllow=/dev/null rz\n"]
    #expect(try facts("", files: files).explain().answer == .undetermined)
    let file = try facts("", path: "/etc/passwd", files: files)
    #expect(file.explain().answer == .allowed)
    #expect(file.unobserved.contains { $0.reason.contains("DeviceAllow=") })
  }

  @Test func `is in a slice that its name tells`() throws {
    #expect(UnitName("a@b")?.defaultSlice == "system-a.slice")
    #expect(UnitName("a-b@c")?.defaultSlice == "system-a\\x2db.slice")
    #expect(UnitName("a-b")?.defaultSlice == "system.slice")
    #expect(
      UnitName.slices(from: "a-b-c.slice").map(\.text) == [
        "a-b-c.slice", "a-b.slice", "a.slice", "-.slice",
      ])
    #expect(UnitName.slices(from: "-.slice").map(\.text) == ["-.slice"])
    #expect(UnitName.slices(from: "x.service").isEmpty)
    #expect(UnitName("a.slice") == nil)
  }

  // MARK: Another root directory

  @Test func `walks below its root directory`() throws {
    let root = try TemporaryDirectory()
    try root.file("srv/file", "x", mode: 0o600)
    try root.directory("etc")
    try root.link("camera", to: "/dev/null")
    func answer(_ path: String, _ more: String = "") throws -> Answer {
      try facts("User=ann\nRootDirectory=\(root.path)\n\(more)", path: path).explain().answer
    }
    #expect(try answer("/srv/file") == .refused)
    #expect(try answer("/srv/none") == .absent)
    #expect(try answer("/dev/null") == .allowed)
    #expect(try answer("/dev/null", "PrivateDevices=yes") == .allowed)
    // Mounts at these paths are not scanned.
    #expect(try answer("/proc/version") == .undetermined)
    #expect(try answer("/camera") == .undetermined)
    #expect(try answer("/dev/null", "MountAPIVFS=no") == .absent)
    #expect(try answer("/dev/null", "RootImage=/x.img") == .undetermined)
  }

  @Test func `has the mounts below its root directory, and none of the same name`() throws {
    let root = try TemporaryDirectory()
    try root.file("srv/data/file", "x", mode: 0o666)
    let table = """
      1 0 0:1 / / rw - ext4 a rw
      2 1 0:2 / /srv rw,noexec - ext4 b rw
      3 1 0:3 / \(root.path) ro,nodev - tmpfs c rw
      4 3 0:4 / \(root.path)/srv/data rw,nosuid - tmpfs d rw

      """
    let mounts = try facts(
      "User=ann\nRootDirectory=\(root.path)", path: "/srv/data/file", mounts: table
    ).access.mounts
    #expect(mounts.map(\.at) == ["/", "/srv/data"])
    #expect(mounts.map(\.readOnly) == [true, false])
    #expect(mounts.map(\.noexec) == [false, false])
  }

  @Test func `is refused by a closed root directory`() throws {
    let root = try TemporaryDirectory()
    try root.directory("closed", mode: 0o700)
    let facts = try facts("User=ann\nRootDirectory=\(root.path)/closed", path: "/dev/null")
    #expect(facts.explain().answer == .refused)
    #expect(facts.confinement.service?.rootDirectory == "\(root.path)/closed")
  }
}
