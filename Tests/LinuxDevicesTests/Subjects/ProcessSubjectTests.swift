import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A running process` {
  private func facts(_ number: Int32, _ path: String = "/dev/null") throws -> AccessFacts {
    try LinuxMachine().facts(for: Question(.path(path), subject: .process(number)))
  }

  @Test func `is this one too, with the same credentials`() throws {
    let other = try facts(getpid()).access.subject
    var status = ThreadStatus(
      parsing: try BoundedFile.read("/proc/self/status", limit: 1 << 16).bytes)
    #expect(other.groups == status.supplementaryGroups)
    #expect(other.effective == status.effective)
    status.seccompMode = nil
    #expect(other.unobserved.contains(.securebits))
  }

  @Test(.requiresRoot) func `has the credentials that it was started with`() async throws {
    let child = try await ChildProcess(
      "exec setpriv --reuid 4242 --regid 4243 --groups 44,45 --no-new-privs cat")
    try await child.becomes("cat")
    let facts = try facts(child.number)
    let subject = facts.access.subject
    #expect(subject.fsuid == 4242 && subject.ruid == 4242)
    #expect(subject.fsgid == 4243)
    #expect(subject.groups == [44, 45])
    #expect(subject.effective.isEmpty)
    #expect(subject.noNewPrivileges)
    #expect(subject.userNamespace == nil)
    #expect(facts.origin == SubjectOrigin(.process, name: "cat", pid: child.number))
    #expect(facts.kernelChecks.isEmpty)
    #expect(facts.unobserved.contains { $0.layer == "securebits" })
    #expect(facts.explain().certainty == .predicted)
  }

  @Test(.requiresUserNamespace) func `has the maps of its user namespace`() async throws {
    let child = try await ChildProcess("exec unshare --user --map-root-user cat")
    try await child.becomes("cat")
    let subject = try facts(child.number).access.subject
    let one = IDMap([IDMap.Range(inside: 0, outside: 0, length: 1)])
    #expect(subject.userNamespace == IDMapping(users: one, groups: one))
    #expect(subject.fsuid == 0)
    #expect(subject.effective.contains(.overrideFileAccess))

    // Its capability does not apply to IDs that its namespace does not map.
    let directory = try TemporaryDirectory()
    let path = try directory.file("x", "", mode: 0o600)
    try SystemError.check(unsafe chown(path, 4242, 4242), "chown")
    #expect(try facts(child.number, path).explain().answer == .refused)
    #expect(
      try LinuxMachine().facts(for: Question(.path(path), subject: .user("root"))).explain().answer
        == .allowed)
  }

  @Test(.requiresPrivateMounts) func `sees its own mounts`() async throws {
    let directory = try TemporaryDirectory()
    try directory.file("outside")
    let child = try await ChildProcess(
      """
      exec unshare -m sh -c 'mount -t tmpfs -o ro,nodev none \(directory.path) && exec cat'
      """)
    try await child.becomes("cat")
    let facts = try facts(child.number, "\(directory.path)/outside")
    #expect(facts.access.nodes.last?.path == directory.path)
    let mount = try #require(facts.access.mounts.last { $0.at == directory.path })
    #expect(mount.readOnly && mount.nodev)
    #expect(facts.explain().answer == .absent)
  }

  @Test(.requiresRoot) func `sees its own root directory`() async throws {
    let directory = try TemporaryDirectory()
    for folder in ["bin", "lib", "lib64", "usr", "proc"] { try directory.directory(folder) }
    try directory.file("inside", "", mode: 0o640)
    // Only the root directory changes; the waiting program is already loaded.
    let child = try await ChildProcess(
      """
      exec perl -e 'chroot("\(directory.path)") or exit 1; $0 = "x"; open(F, ">/ready"); \
      close(F); read(STDIN, $x, 1)'
      """)
    for _ in 0..<1000 where unsafe access("\(directory.path)/ready", F_OK) != 0 {
      try await Task.sleep(for: .milliseconds(10))
    }
    let facts = try facts(child.number, "/inside")
    #expect(facts.access.nodes.map(\.path) == ["/", "/inside"])
    #expect(facts.access.nodes.last?.mode == 0o640)
    #expect(facts.explain().answer == .allowed)
    #expect(try self.facts(child.number, "/dev/null").explain().answer == .absent)
  }

  @Test func `that does not exist is an error`() {
    for number in [0, -1, Int32.min, Int32.max] {
      let error = #expect(throws: DeviceError.self) { try facts(number) }
      #expect(error?.code == .noSubject)
    }
  }

  @Test func `that has ended is an error, before and after it is waited for`() async throws {
    let child = try await ChildProcess("true")
    try await child.ends()
    #expect(throws: DeviceError.self) { try facts(child.number) }
    child.reap()
    let error = #expect(throws: DeviceError.self) { try facts(child.number) }
    #expect(error?.code == .noSubject)
  }

  @Test func `keeps its folder, whoever gets its number later`() async throws {
    let child = try await ChildProcess("exec cat")
    try await child.becomes("cat")
    let directory = try ProcessDirectory(child.number, proc: "/proc")
    #expect(try directory.status() != nil)
    child.reap()
    #expect(try directory.status() == nil)
    #expect(throws: Errno.self) { try BoundedFile.read("\(directory.path)/status", limit: 64) }
  }

  @Test func `that cannot be looked at has not ended`() throws {
    let proc = try TemporaryDirectory()
    // A directory in place of the file cannot be read by any user.
    try proc.directory("7/status")
    let directory = try ProcessDirectory(7, proc: proc.path)
    #expect(throws: Errno.badDescriptor) { try directory.status() }
    var roots = MachineRoots()
    roots.proc = proc.path
    let machine = LinuxMachine(roots: roots)
    let error = #expect(throws: DeviceError.self) {
      try machine.facts(for: Question(.path("/dev/null"), subject: .process(7)))
    }
    #expect(error?.code == .unavailable && error?.errno == .badDescriptor)
  }

  @Test(.requiresPrivateMounts)
  func `of somebody else shows what it may, and tells the rest`() async throws {
    let child = try await ChildProcess("exec unshare -m cat")
    try await child.becomes("cat")
    await #expect(processExitsWith: .success) { [number = child.number as Int32] in
      try PrivateMachine.become(user: 65534, group: 65534)
      let facts = try LinuxMachine().facts(
        for: Question(.path("/dev/null"), subject: .process(number)))
      #expect(facts.access.subject.fsuid == 0)
      #expect(facts.access.subject.effective.contains(.overrideFileAccess))
      // It has its own mounts, and reading its root directory requires the permission to trace it.
      #expect(facts.unobserved.contains { $0.layer == "root-directory" })
      #expect(facts.explain().answer == .undetermined)
      // A process that shares this one's mounts is inspected through this one's root directory.
      let first = try LinuxMachine().facts(
        for: Question(.path("/dev/null"), subject: .process(getppid())))
      #expect(first.access.subject.unobserved == [.securebits])
    }
  }

  @Test func `can be a recorded one`() throws {
    let recorded = try RecordedMachine(users: "ann:x:1000:1000::/home/ann:/bin/sh\n")
    let files = [
      "status": "State:\tS (sleeping)\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\nGroups:\t9\n"
        + "CapPrm:\t2\nCapEff:\t2\nNoNewPrivs:\t1\nSeccomp:\t2\n",
      "uid_map": "0 100000 65536\n", "gid_map": "0 100000 65536\n", "comm": "a\u{1B}b\n",
      "mountinfo": "1 0 0:1 / / rw - ext4 none rw\n", "cgroup": "0::/\n", "environ": "A=b\u{0}",
    ]
    for (name, text) in files { try recorded.directory.file("proc/77/\(name)", text) }
    try recorded.directory.link("proc/77/root", to: "/")
    let facts = try recorded.machine().facts(
      for: Question(.path("/dev/null"), subject: .process(77)))
    let subject = facts.access.subject
    #expect([subject.ruid, subject.euid, subject.suid, subject.fsuid] == [1, 2, 3, 4])
    #expect(subject.groups == [9])
    #expect(subject.effective == [.overrideFileAccess])
    #expect(subject.userNamespace?.users.ranges.first?.outside == 100_000)
    #expect(facts.confinement.seccompMode == 2)
    #expect(facts.origin?.name == "a\u{FFFD}b")
    // A zombie can no longer open files.
    try recorded.directory.file("proc/77/status", "State:\tZ (zombie)\n")
    #expect(throws: DeviceError.self) {
      try recorded.machine().facts(for: Question(.path("/dev/null"), subject: .process(77)))
    }
  }
}
