import AccessModel
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Machines with `/proc`, `/etc` and `/run` in files of a test.
@Suite struct RecordedMachineTests {
  @Test func `the groups of a new login are told apart from those of the process`() throws {
    let recorded = try RecordedMachine(
      users: "ann:x:1000:1000::/home/ann:/bin/sh\n",
      groups: "ann:x:1000:\nvideo:x:44:bob,ann\naudio:x:29:bob\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.account.user == "ann")
    #expect(facts.account.home == "/home/ann")
    #expect(facts.account.loginGroups == [1000, 44])
    #expect(facts.access.subject.groups == [1000])
    #expect(facts.account.groupNames[44] == "video")
    #expect(facts.access.protectedSymlinks)
    #expect(facts.session == nil)
  }

  @Test func `malformed account files are reported and the rest is used`() throws {
    let recorded = try RecordedMachine(
      users: "broken\nann:x:1000:1000::/home/ann:/bin/sh\n", groups: ":::\nvideo:x:44:ann\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.account.loginGroups == [1000, 44])
    #expect(facts.unobserved.count { $0.layer == "accounts" } == 2)
  }

  @Test func `missing files are unobserved and no error`() throws {
    let empty = try TemporaryDirectory()
    var roots = MachineRoots()
    roots.proc = empty.path
    roots.etc = empty.path
    roots.run = empty.path
    let machine = LinuxMachine(roots: roots, environment: { _ in nil }, kernelCheck: { _, _ in 0 })
    let facts = try machine.facts(for: Question(.path("/dev/null")))
    #expect(
      facts.access.subject.unobserved.isSuperset(of: [.ids, .groups, .capabilities, .userns]))
    #expect(facts.account.loginGroups == nil)
    #expect(facts.access.mounts.first?.unobserved == [.flags])
    let layers = Set(facts.unobserved.map(\.layer))
    #expect(layers.isSuperset(of: ["status", "mountinfo", "accounts", "cgroup", "user namespace"]))
  }

  @Test func `a malformed mount table is reported, and the good lines count`() throws {
    let recorded = try RecordedMachine()
    try recorded.directory.file(
      "proc/thread-self/mountinfo", "rubbish\n1 0 0:1 / / rw,nodev - tmpfs none ro\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.mounts.map(\.nodev) == [true])
    #expect(facts.access.mounts.map(\.superblockReadOnly) == [true])
    #expect(
      facts.unobserved.contains { $0.layer == "mountinfo" && $0.reason.contains("malformed") })
  }

  @Test(arguments: ["", "rubbish\n", "-\n"])
  func `a setting that says nothing is unobserved, and refuses nothing`(text: String) throws {
    let recorded = try RecordedMachine()
    for setting in ["protected_symlinks", "protected_regular", "protected_fifos"] {
      try recorded.directory.file("proc/sys/fs/\(setting)", text)
    }
    let machine = recorded.machine()
    let create = try machine.facts(for: Question(.path("/dev/null"), purpose: .create))
    #expect(
      create.access.unobserved == [.protectedSymlinks, .protectedRegular, .protectedFifos])
    let layers = Set(create.unobserved.map(\.layer))
    #expect(layers.isSuperset(of: ["protected_symlinks", "protected_regular", "protected_fifos"]))
    let use = try machine.facts(for: Question(.path("/dev/null")))
    #expect(use.access.unobserved == [.protectedSymlinks])
  }

  @Test func `a kernel without the newer settings has them off`() throws {
    let recorded = try RecordedMachine()
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null"), purpose: .create))
    #expect(facts.access.unobserved == [])
    #expect(facts.access.protectedRegular == 0)
    try recorded.directory.file("proc/sys/fs/protected_regular", "2\n")
    let restricted = try recorded.machine().facts(
      for: Question(.path("/dev/null"), purpose: .create))
    #expect(restricted.access.protectedRegular == 2)
  }

  @Test func `identifiers of a user namespace are numbered as outside of it`() throws {
    let recorded = try RecordedMachine(
      users: "ann:x:1000:1000::/home/ann:/bin/sh\n", groups: "ann:x:1000:\nvideo:x:44:ann\n")
    try recorded.directory.file("proc/thread-self/uid_map", "0 100000 65536\n")
    try recorded.directory.file("proc/thread-self/gid_map", "0 100000 65536\n")
    // The kernel shows a tmpfs like this if root of the namespace mounted it.
    try recorded.directory.file(
      "proc/thread-self/mountinfo", "1 0 0:1 / / rw - tmpfs none rw,uid=100000,gid=100000\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.subject.fsuid == 101_000)
    #expect(facts.account.user == "ann")
    #expect(facts.account.loginGroups == [101_000, 100_044])
    #expect(facts.account.groupNames[100_044] == "video")
    #expect(facts.access.subject.userNamespace != nil)
    #expect(facts.access.mounts.first?.unobserved == [.superblockNodev])
  }

  @Test func `an identifier that reads as the overflow one could be any`() throws {
    let recorded = try RecordedMachine(
      status: RecordedMachine.status.replacing("Groups:\t1000", with: "Groups:\t1000 65534"))
    try recorded.directory.file("proc/thread-self/uid_map", "0 100000 1001\n")
    try recorded.directory.file("proc/thread-self/gid_map", "0 100000 1001\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.subject.unobserved.contains(.overflowIDs))
    #expect(facts.access.subject.groups == [101_000, 65534])
  }

  @Test(arguments: [
    ("podman", "run/.containerenv", ""), ("lxc", "run/systemd/container", "lxc\n"),
    ("systemd-nspawn", "proc/1/environ", "A=b\u{0}container=systemd-nspawn\u{0}"),
  ])
  func `a container is recognised by what it leaves behind`(
    name: String, file: String, text: String
  ) throws {
    let recorded = try RecordedMachine()
    try recorded.directory.file(file, text)
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.confinement.container == name)
  }

  @Test func `nothing points to a container by itself`() throws {
    let recorded = try RecordedMachine()
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.confinement.container == nil)
  }

  @Test func `a control group below the root may have a device policy that cannot be read`() throws
  {
    let recorded = try RecordedMachine()
    try recorded.directory.file("proc/thread-self/cgroup", "0::/system.slice/camera.service\n")
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.subject.unobserved.contains(.deviceCgroup))
    #expect(facts.confinement.unit == "camera.service")
    #expect(facts.unobserved.contains { $0.layer == "device-program" })
  }

  @Test func `the device list of a version 1 control group is found through its mount`() throws {
    let recorded = try RecordedMachine()
    let hierarchy = "\(recorded.directory.path)/devices"
    try recorded.directory.file("devices/inner/devices.list", "c 1:3 rw\n")
    try recorded.directory.file("proc/thread-self/cgroup", "5:devices:/outer/inner\n")
    try recorded.directory.file(
      "proc/thread-self/mountinfo",
      """
      1 0 0:1 / / rw - tmpfs none rw
      2 1 0:2 /outer \(hierarchy) rw - cgroup cgroup rw,devices
      """)
    let facts = try recorded.machine().facts(for: Question(.path("/dev/null")))
    #expect(facts.access.subject.deviceCgroup?.exceptions.map(\.major) == [1])
    #expect(!facts.access.subject.unobserved.contains(.deviceCgroup))
  }
}
