import AccessModel
import Foundation
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import DevicePermissions
@testable import LinuxDevices

/// On real files and a real kernel: the album is a folder on a tmpfs.
///
/// What the service in memory does, too, is in `GrantContractTests`.
@Suite(.requiresRoot, .timeLimit(.minutes(5)))
struct `The service that grants` {
  private let directory: TemporaryFolder
  private let service: GrantService
  private let file: String

  init() throws {
    directory = try TemporaryFolder()
    service = directory.grants
    file = try directory.picture()
  }

  private func request(_ path: String, to user: String = "nobody") -> GrantRequest {
    GrantRequest(.path(path), to: user, for: .read)
  }

  @Test func `tells of a grant that nothing has ended yet`() async throws {
    var short = request(file)
    short.lifetime = .seconds(1)
    let first = try await service.grant(short)
    #expect(await eventually { GrantCaller.uptime >= first.grant.deadline ?? 0 })
    #expect(try await service.grants().map(\.isOver) == [true])
  }

  /// The work of the service, while somebody else sets the picture's list each time before it does.
  private func work(
    while change: @escaping @Sendable () -> AccessList
  ) throws -> GrantWork {
    var work = try #require(service.work as? GrantWork)
    let path = file
    work.whileListMayChange = {
      try? PinnedNode(path: path).set(change(), calledBy: path)
    }
    return work
  }

  @Test func `brings no entry back that was taken away while it gave another`() throws {
    let node = try PinnedNode(path: file)
    let before = try node.list(calledBy: file)
    try node.set(before.granting(.read, toUser: 4242), calledBy: file)
    let work = try work { before }
    let report = try work.grant(request(file))
    #expect(try TemporaryFolder.list(file) == before.granting(.read, toUser: 65534))
    _ = try work.revoke(.id(report.grant.id), isDry: false)
    #expect(try TemporaryFolder.list(file) == before)
  }

  @Test func `gives up on a list that changes again and again, and records nothing`() throws {
    let before = try TemporaryFolder.list(file)
    let changes = AtomicCount()
    let work = try work {
      changes.add()
      return before.granting(changes.value % 2 == 0 ? .read : .write, toUser: 4242)
    }
    let error = #expect(throws: GrantError.self) { try work.grant(request(file)) }
    #expect(error?.code == .changed && changes.value == GrantWork.mostAttempts)
    #expect(try TemporaryFolder.list(file) == before.granting(.write, toUser: 4242))
    #expect(try work.grants() == [])
  }

  @Test func `loses nothing to two that grant and revoke at once`() async throws {
    let before = try TemporaryFolder.list(file)
    let (service, path) = (service, file)
    let failures = await withTaskGroup(of: [GrantError].self) { group in
      for user in ["nobody", "daemon"] {
        group.addTask {
          var failures: [GrantError] = []
          for round in 0..<20 {
            do throws(GrantError) {
              let request = GrantRequest(.path(path), to: user, for: .read)
              let report = try await service.grant(request)
              if round % 2 == 0 {
                _ = try await service.revoke(.id(report.grant.id))
              } else {
                _ = try await service.revoke(.path(path, user: user))
              }
            } catch {
              failures.append(error)
            }
          }
          return failures
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    // A list that changes between two looks is told; nothing else may go wrong.
    #expect(failures.filter { $0.code != .changed }.isEmpty)
    #expect(try TemporaryFolder.list(path) == before)
    #expect(try await service.grants() == [])
  }

  /// As ext4 does it at once: the number of the removed file is that of the new one.
  private func replaceFile(mode: UInt16) throws {
    let old = try PinnedNode(path: file).inode.number
    try FileManager.default.removeItem(atPath: file)
    try directory.file("Pictures/picture.jpg", mode: mode)
    let new = try PinnedNode(path: file).inode.number
    let record = URL(fileURLWithPath: "\(directory.path)/record/volatile/ledger.json")
    let text = String(decoding: try Data(contentsOf: record), as: UTF8.self)
    let number = #""number":\#(old)"#
    #expect(text.contains(number) && old != new)
    try Data(text.replacing(number, with: #""number":\#(new)"#).utf8).write(to: record)
  }

  @Test(.requiresFileHandles)
  func `gives a new file to nobody who had the old one of its number`() async throws {
    _ = try await service.grant(request(file))
    try replaceFile(mode: 0o600)
    #expect(try await service.grants().map(\.isGone) == [true])
    let report = try await service.grant(request(file, to: "daemon"))
    #expect(try TemporaryFolder.list(file).text == "u::rw-,u:1:r--,g::---,m::r--,o::---")
    #expect(try await service.grants().map(\.grant) == [report.grant])
    _ = try await service.revoke(.id(report.grant.id))
    #expect(try TemporaryFolder.list(file).text == "u::rw-,g::---,o::---")
  }

  @Test(.requiresFileHandles)
  func `takes nothing from a new file that has the number of an old one`() async throws {
    let report = try await service.grant(request(file))
    try replaceFile(mode: 0o600)
    let fresh = try TemporaryFolder.list(file).granting(.read, toUser: 65534)
    try PinnedNode(path: file).set(fresh, calledBy: file)
    #expect(try await service.revoke(.id(report.grant.id)).map(\.isGone) == [true])
    #expect(try TemporaryFolder.list(file) == fresh)
  }

  /// One process gives or ends, and is killed before or after a step that lasts.
  @Test(arguments: [false, true], 1...6)
  func `leaves no list that is neither before nor after, whenever it is killed`(
    isEnd: Bool, step: Int
  ) async throws {
    // The mask cuts the entry off that the grant widens.
    let node = try PinnedNode(path: file)
    let before = try #require(
      AccessList([
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 65534, [.read, .write]),
        ACLEntry(.group, nil, .read), ACLEntry(.mask, nil, .read), ACLEntry(.other, nil, []),
      ]))
    try node.set(before, calledBy: file)
    let both: Permissions = [.read, .write]
    let after = before.granting(both, toUser: 65534)
    var id = ""
    if isEnd {
      let request = GrantRequest(.path(file), to: "nobody", for: both)
      id = try await service.grant(request).grant.id
    }
    let (home, file) = (directory.path, file)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [home = home as String, file = file as String, id = id as String, step = step as Int] in
      let service = GrantService(
        machine: LinuxMachine(environment: { $0 == "HOME" ? home : nil }), record: "\(home)/record")
      guard var work = service.work as? GrantWork else { exit(1) }
      let steps = AtomicCount()
      work.beforeEffect = {
        steps.add()
        if steps.value == step { kill(getpid(), SIGKILL) }
      }
      if id.isEmpty {
        _ = try work.grant(GrantRequest(.path(file), to: "nobody", for: [.read, .write]))
      } else {
        _ = try work.revoke(.id(id), isDry: false)
      }
    }
    let left = try node.list(calledBy: file)
    #expect(left == before || left == after)
    for standing in try await service.grants() {
      _ = try await service.revoke(.id(standing.grant.id))
    }
    #expect(try node.list(calledBy: file) == before)
    #expect(try await service.grants() == [])
  }

  @Test func `tells what the user still has, and from what`() async throws {
    let report = try await service.grant(request(file))
    #expect(try await service.revoke(.id(report.grant.id)).map(\.remaining) == [nil])
    // Another program sets an entry that gives more.
    let other = try await service.grant(request(file))
    let node = try PinnedNode(path: file)
    let wider = try node.list(calledBy: file).granting([.read, .write], toUser: 65534)
    try node.set(wider, calledBy: file)
    let ended = try await service.revoke(.id(other.grant.id))
    #expect(ended.map(\.remaining) == [RemainingAccess([.read, .write], by: [.entry])])
    #expect(try node.list(calledBy: file) == wider)
  }

  @Test func `ends what it understands, and keeps what it does not`() async throws {
    let second = try directory.file("Pictures/second.jpg", mode: 0o640)
    let before = try TemporaryFolder.list(file)
    let record = URL(fileURLWithPath: "\(directory.path)/record/volatile/ledger.json")
    for (old, new) in [
      (#""objects":["#, #""objects":[{"later": [1, 2]},"#), (#""version":1"#, #""version":2"#),
      (#""start":"#, #""start":-9223372036854775808,"begin":"#),
    ] {
      for path in [file, second] { _ = try await service.grant(request(path)) }
      let text = String(decoding: try Data(contentsOf: record), as: UTF8.self)
      #expect(text.contains(old))
      try Data(text.replacing(old, with: new).utf8).write(to: record)
      _ = try? await service.revoke(.kind("album", user: nil))
      #expect(try TemporaryFolder.list(file) == before, "\(new)")
      #expect(try TemporaryFolder.list(second) == before, "\(new)")
      if new.contains("later") {
        let left = String(decoding: try Data(contentsOf: record), as: UTF8.self)
        #expect(left.contains(#"{"later": [1, 2]}"#))
        await #expect(throws: GrantError.self) { _ = try await service.grant(request(file)) }
      }
      try? FileManager.default.removeItem(at: record)
    }
  }

  @Test func `notices that another program has ended a grant`() async throws {
    let report = try await service.grant(request(file))
    let service = service
    async let end = service.waitForEnd(of: report.grant.id)
    _ = try await service.revoke(.id(report.grant.id))
    #expect(await end)
    #expect(await service.waitForEnd(of: report.grant.id))
  }

  @Test func `does nothing with a record that it cannot understand`() async throws {
    _ = try await service.grant(request(file))
    let record = "\(directory.path)/record/volatile/ledger.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: record))
    let before = try TemporaryFolder.list(file)
    let error = await #expect(throws: GrantError.self) {
      _ = try await service.grant(request(file, to: "daemon"))
    }
    #expect(error?.code == .failed)
    #expect(try TemporaryFolder.list(file) == before)
  }
}

/// A device of a machine that is made up, with a node that is real.
@Suite(.requiresPrivateMounts, .timeLimit(.minutes(5)))
struct `The service that grants devices` {
  /// Shows `/dev/kvm` alone, in a directory of this process and in a sysfs of its own.
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

  @Test(arguments: [true, false])
  func `keeps root's grant and the owner's apart, in whatever order they end`(
    isRootFirst: Bool
  ) async {
    await #expect(processExitsWith: .success) { [isRootFirst = isRootFirst as Bool] in
      let folder = try TemporaryDirectory(in: "/tmp")
      try folder.setMode(0o755, of: folder.path)
      let service = try `The service that grants devices`.service(in: folder.path, mode: 0o600)
      guard unsafe chown("/dev/kvm", 1, 0) == 0, let root = service.work as? GrantWork else {
        exit(1)
      }
      let home = "\(folder.path)/record/users/1"
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      guard unsafe chown(home, 1, 1) == 0, seteuid(1) == 0 else { exit(2) }
      guard
        let owner = GrantService(machine: service.machine, record: "\(folder.path)/record").work
          as? GrantWork, seteuid(0) == 0
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

  /// Puts the record of devices where older versions had it, in the form that it had.
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
      // The new version gives to others, and the record of the old one stays as it is.
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
      // udev has it given again on the node that came back.
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
      // The user of a session has an entry, and the switch to nobody's takes both away.
      try PinnedNode(path: "/dev/kvm").set(
        own.granting(.read, toUser: 4242), calledBy: "/dev/kvm")
      guard var work = service.work as? GrantWork else { exit(1) }
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
      guard let work = service.work as? GrantWork else { exit(1) }
      let switches = Mutex(0)
      // A thread of this one has its mounts.
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
      // Without udev no rule has an effect.
      try PrivateMachine.mountTemporary(at: "/run")
      var errors: [GrantError] = []
      let request = GrantRequest(.path("/dev/kvm"), to: "nobody", lifetime: .permanent)
      do throws(GrantError) { _ = try await service.plan(request) } catch { errors.append(error) }
      do throws(GrantError) { _ = try await service.grant(request) } catch { errors.append(error) }
      // The sysfs in it goes with its last use.
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
      // What is at the path now is not the device that it is called after.
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
