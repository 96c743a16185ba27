import AccessModel
import DevicePermissionsTesting
import Foundation
import Glibc
import LinuxTestSupport
import MachineSamples
import Synchronization
import Testing

@testable import DevicePermissions
@testable import LinuxDevices

/// A fictitious machine with one device, whose node is real.
@Suite(.requiresPrivateMounts, .timeLimit(.minutes(5)))
struct `The service that grants devices` {
  /// Returns a service that sees only `/dev/kvm`, in a private `/dev` and a private sysfs.
  static func service(in path: String, mode: UInt32 = 0o660) throws -> GrantService {
    try PrivateMachine.separateMounts()
    try PrivateMachine.mountTemporary(at: "/dev")
    try PrivateMachine.makeDevice("/dev/kvm", major: 10, minor: 232, mode: mode)
    let device = "\(path)/sys/devices/virtual/misc/kvm"
    let files = FileManager.default
    for folder in [device, "\(path)/sys/class/misc", "\(path)/sys/dev/char"] {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }
    try Data("MAJOR=10\nMINOR=232\nDEVNAME=kvm\n".utf8).write(
      to: URL(fileURLWithPath: "\(device)/uevent"))
    for (link, target) in [
      ("class/misc/kvm", "../../devices/virtual/misc/kvm"),
      ("dev/char/10:232", "../../devices/virtual/misc/kvm"),
      ("devices/virtual/misc/kvm/subsystem", "../../../../class/misc"),
    ] {
      try files.createSymbolicLink(atPath: "\(path)/sys/\(link)", withDestinationPath: target)
    }
    var roots = MachineRoots()
    roots.sysfs = "\(path)/sys"
    return GrantService(machine: LinuxMachine(roots: roots), record: "\(path)/record")
  }

  static func list() throws -> AccessList {
    try TemporaryFolder.list("/dev/kvm")
  }

  @Test func `sets an entry on the node, by kind and by path, and takes it back`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      let before = try `The service that grants devices`.list()
      for target in [Question.Target.kind(.kvm), .path("/dev/kvm")] {
        let report = try await service.grant(GrantRequest(target, to: "nobody"))
        let text = try `The service that grants devices`.list().text
        guard text.contains("u:65534:rw-"), report.kind == "kvm", report.path == "/dev/kvm" else {
          exit(1)
        }
        guard try await service.revoke(.kind("kvm", user: "nobody")).count == 1,
          try `The service that grants devices`.list() == before
        else { exit(2) }
      }
      exit(0)
    }
  }

  @Test func `observes the machine five times for a grant by kind`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      var service = try `The service that grants devices`.service(in: folder.path)
      let machine = CountingMachine(service.machine)
      service.machine = machine
      _ = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody"))
      // Finding the device, the plan, the rule, and the checks before and after the write.
      guard machine.count == 5 else { exit(1) }
      exit(0)
    }
  }

  @Test(arguments: [true, false])
  func `keeps root's grant and the owner's apart, in whatever order they end`(
    isRootFirst: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isRootFirst = isRootFirst as Bool] in
      let folder = try TemporaryDirectory(in: "/tmp")
      try folder.setMode(0o755, of: folder.path)
      let service = try `The service that grants devices`.service(in: folder.path, mode: 0o600)
      guard unsafe chown("/dev/kvm", 1, 0) == 0, let root = service.work as? GrantOperations else {
        exit(1)
      }
      let home = "\(folder.path)/record/users/1"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      guard unsafe chown(home, 1, 1) == 0, seteuid(1) == 0 else { exit(2) }
      guard
        let owner = GrantService(machine: service.machine, record: "\(folder.path)/record").work
          as? GrantOperations, seteuid(0) == 0
      else { exit(3) }
      func list() throws -> String { try `The service that grants devices`.list().text }
      let bare = try list()
      for _ in 0..<2 {
        let first = try root.grant(GrantRequest(.path("/dev/kvm"), to: "nobody", for: .read)).grant
        seteuid(1)
        let second = try owner.grant(
          GrantRequest(.path("/dev/kvm"), to: "nobody", for: .write)
        ).grant
        seteuid(0)
        guard try list() == "u::rw-,u:65534:rw-,g::---,m::rw-,o::---" else { exit(4) }
        for isRoot in [isRootFirst, !isRootFirst] {
          seteuid(isRoot ? 0 : 1)
          let ended = try (isRoot ? root : owner).revoke(
            .path("/dev/kvm", user: "nobody"), isDry: false)
          seteuid(0)
          guard ended.grants.count == 1, ended.failure == nil else { exit(5) }
          guard isRoot == isRootFirst else { continue }
          let left = isRoot ? "-w-" : "r--"
          guard try list() == "u::rw-,u:65534:\(left),g::---,m::\(left),o::---",
            ended.grants[0].remaining
              == RemainingAccess(
                isRoot ? .write : .read, by: [.grant(isRoot ? second : first)])
          else { exit(6) }
        }
        guard try list() == bare, try root.grants().isEmpty else { exit(7) }
      }
      exit(0)
    }
  }

  @Test func `tells who has the number of the user now, and takes it back from whom it names`()
    async
  {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      _ = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody"))
      guard try await service.grants().map(\.currentName) == [nil] else { exit(1) }
      let accounts = try folder.file("passwd", "root:x:0:0::/:\neve:x:65534:65534::/:\n")
      try PrivateMachine.bind(accounts, to: "/etc/passwd")
      guard try await service.grants().map(\.currentName) == ["eve"] else { exit(2) }
      let revoked = try await service.revoke(.kind("kvm", user: "eve"))
      exit(revoked.map(\.currentName) == ["eve"] ? 0 : 3)
    }
  }

  @Test func `gives it again on the node that came back, and to no other device`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      let report = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody", for: .read))
      try FileManager.default.removeItem(atPath: "/dev/kvm")
      try PrivateMachine.makeDevice("/dev/kvm", major: 10, minor: 232, mode: 0o600)
      let fresh = try `The service that grants devices`.list()
      try await service.renew(report.grant.id, at: "/dev/kvm")
      let text = try `The service that grants devices`.list().text
      guard text == "u::rw-,u:65534:r--,g::---,m::r--,o::---" else { exit(1) }
      try PrivateMachine.makeDevice("/dev/other", major: 10, minor: 232, mode: 0o600)
      try PrivateMachine.makeDevice("/dev/third", major: 1, minor: 3, mode: 0o600)
      for path in ["/dev/other", "/dev/third", "/dev/missing"] {
        guard (try? await service.renew(report.grant.id, at: path)) == nil else { exit(2) }
      }
      try await service.revoke(.id(report.grant.id))
      exit(try `The service that grants devices`.list() == fresh ? 0 : 3)
    }
  }

  /// Moves the record of devices to the place and the format of older versions.
  private static func age(_ record: String) throws {
    let text = String(
      decoding: try Data(contentsOf: URL(fileURLWithPath: "\(record)/devices/ledger.json")),
      as: UTF8.self)
    let files = FileManager.default
    try files.createDirectory(atPath: "\(record)/volatile", withIntermediateDirectories: true)
    let old = "\(record)/volatile/ledger.json"
    try Data(text.replacing(/"count":[0-9]+,/, with: "").utf8).write(to: URL(fileURLWithPath: old))
    guard unsafe chmod("\(record)/volatile", 0o700) == 0, unsafe chmod(old, 0o600) == 0 else {
      throw Errno.permissionDenied
    }
    try files.removeItem(atPath: "\(record)/devices")
  }

  @Test func `knows the grants on devices that an older version recorded`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      let bare = try `The service that grants devices`.list()
      let first = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody", for: .read)).grant
      try `The service that grants devices`.age("\(folder.path)/record")
      guard try await service.grants().map(\.grant.id) == [first.id] else { exit(1) }
      // The new version grants to another user, and the old record stays unchanged.
      let second = try await service.grant(GrantRequest(.kind(.kvm), to: "daemon", for: .read))
      guard
        try await Set(service.grants().map(\.grant.id)) == [first.id, second.grant.id],
        try `The service that grants devices`.list().text
          == "u::rw-,u:1:r--,u:65534:r--,g::rw-,m::rw-,o::---"
      else { exit(2) }
      guard try await service.revoke(.kind("kvm", user: "daemon")).count == 1,
        try `The service that grants devices`.list().text
          == "u::rw-,u:65534:r--,g::rw-,m::rw-,o::---"
      else { exit(3) }
      // udev renews the grant on the node that came back.
      try FileManager.default.removeItem(atPath: "/dev/kvm")
      try PrivateMachine.makeDevice("/dev/kvm", major: 10, minor: 232, mode: 0o660)
      try await service.renew(first.id, at: "/dev/kvm")
      guard
        try `The service that grants devices`.list().text
          == "u::rw-,u:65534:r--,g::rw-,m::rw-,o::---"
      else { exit(4) }
      let ended = try await service.revoke(.id(first.id))
      guard ended.map(\.grant.id) == [first.id], ended.map(\.remaining) == [nil],
        try `The service that grants devices`.list() == bare, try await service.grants().isEmpty
      else { exit(5) }
      exit(0)
    }
  }

  @Test func `brings no entry back that logind took while it gave one again`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      let bare = try `The service that grants devices`.list()
      let report = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody", for: .read))
      let own = try `The service that grants devices`.list()
      // The user of the active session has an entry, and a session switch removes both entries.
      try PinnedNode(path: "/dev/kvm").set(
        own.granting(.read, toUser: 4242), calledBy: "/dev/kvm")
      guard var work = service.work as? GrantOperations else { exit(1) }
      work.whileListMayChange = {
        try? PinnedNode(path: "/dev/kvm").set(bare, calledBy: "/dev/kvm")
      }
      _ = try work.renew(report.grant.id, at: "/dev/kvm")
      exit(try `The service that grants devices`.list() == own ? 0 : 2)
    }
  }

  @Test func `gives it again after each switch of sessions, until they are at rest`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      try PrivateMachine.mountTemporary(at: "/run")
      try FileManager.default.createDirectory(
        atPath: "/run/systemd/seats", withIntermediateDirectories: true)
      let bare = try `The service that grants devices`.list()
      let report = try await service.grant(GrantRequest(.kind(.kvm), to: "nobody", for: .read))
      let own = try `The service that grants devices`.list()
      guard let work = service.work as? GrantOperations else { exit(1) }
      let switches = Mutex(0)
      // A thread created here shares the mounts of this thread.
      Thread.detachNewThread {
        while switches.withLock(\.self) < 5 {
          usleep(300_000)
          try? PinnedNode(path: "/dev/kvm").set(bare, calledBy: "/dev/kvm")
          try? Data("ACTIVE=1\n".utf8).write(to: URL(fileURLWithPath: "/run/systemd/seats/seat0"))
          switches.withLock { $0 += 1 }
        }
      }
      _ = try work.renew(report.grant.id, at: "/dev/kvm", settles: true)
      guard switches.withLock(\.self) == 5 else { exit(2) }
      exit(try `The service that grants devices`.list() == own ? 0 : 3)
    }
  }

  @Test func `plans no permanent grant that it would refuse`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      // Without udev, rules have no effect.
      try PrivateMachine.mountTemporary(at: "/run")
      var errors: [GrantError] = []
      let request = GrantRequest(.path("/dev/kvm"), to: "nobody", lifetime: .permanent)
      do throws(GrantError) { _ = try await service.plan(request) } catch { errors.append(error) }
      do throws(GrantError) { _ = try await service.grant(request) } catch { errors.append(error) }
      // The folder contains the sysfs and is removed after its last use, which is here.
      guard FileManager.default.fileExists(atPath: folder.path), errors.count == 2 else { exit(1) }
      exit(errors[0] == errors[1] && errors[0].code == .useless ? 0 : 2)
    }
  }

  @Test func `refuses a node of another number, and one that somebody made elsewhere`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryDirectory(in: "/tmp")
      let service = try `The service that grants devices`.service(in: folder.path)
      try PrivateMachine.makeDevice("/dev/other", major: 10, minor: 232, mode: 0o600)
      try FileManager.default.removeItem(atPath: "/dev/kvm")
      // The node at the path is now a device other than its name says.
      try PrivateMachine.makeDevice("/dev/kvm", major: 1, minor: 3, mode: 0o600)
      for path in ["/dev/kvm", "/dev/other"] {
        do throws(GrantError) {
          _ = try await service.grant(GrantRequest(.path(path), to: "nobody"))
          exit(1)
        } catch {
          guard error.code == .wrongObject else { exit(2) }
        }
      }
      exit(try await service.grants().isEmpty ? 0 : 3)
    }
  }
}
