import AccessModel
import DevicePermissionsTesting
import Foundation
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import DevicePermissions
@testable import LinuxDevices

/// A machine where a user is active at the device's seat.
private final class SeatMachine: MachineWrapper {
  let wrapped: any Machine
  private let user = Mutex<UInt32?>(nil)

  init(_ machine: any Machine) { wrapped = machine }

  func activate(_ user: UInt32) { self.user.withLock { $0 = user } }

  func facts(for question: Question) throws(DeviceError) -> AccessFacts {
    var facts = try wrapped.facts(for: question)
    guard let user = user.withLock(\.self) else { return facts }
    for index in facts.devices.indices {
      facts.devices[index].currentTags = ["uaccess"]
      facts.devices[index].seat = "seat0"
    }
    facts.session = SessionFacts(isLogindRunning: true)
    facts.session?.activeUsers = ["seat0": user]
    return facts
  }
}

/// A machine that has only `/dev/kvm`, with a script as udev: it slowly handles one event at a
/// time.
private struct PermanentScene {
  static let node = "/dev/kvm"
  /// A directory that is removed together with the last scene that uses it.
  final class Folder {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory(in: "/tmp") }
  }

  let folder: Folder
  let machine: SeatMachine
  let service: GrantService
  let work: GrantOperations
  let before: AccessList

  init() throws {
    folder = try Folder()
    let path = folder.directory.path
    let kvm = try `The service that grants devices`.service(in: path)
    machine = SeatMachine(kvm.machine)
    service = GrantService(machine: machine, record: "\(path)/record")
    guard let work = service.work as? GrantOperations else { throw Errno.notSupported }
    self.work = work
    try FileManager.default.createDirectory(
      atPath: "\(path)/record", withIntermediateDirectories: false)
    // Programs run with it as their standard input.
    try PrivateMachine.makeDevice("/dev/null", major: 1, minor: 3, mode: 0o666)
    try PrivateMachine.mountTemporary(at: "/run")
    try folder.directory.file("run/udev/control")
    try FileManager.default.moveItem(atPath: "\(path)/run/udev", toPath: "/run/udev")
    let event = "\(path)/sys/devices/virtual/misc/kvm"
    try PrivateMachine.bind("\(path)/sys", to: "/sys")
    #expect(FileManager.default.fileExists(atPath: "\(event)/uevent"))
    let script = try folder.directory.file(
      "udevadm",
      """
      #!/bin/sh
      echo "$@" >>/run/calls
      case "$*" in
      trigger*)
        rules=$(ls \(path)/record/lasting-rules/*.rules 2>/dev/null)
        touch /run/busy
        {
          sleep 0.2
          for rule in $rules; do
            setfacl -m "$(sed -n 's/.*setfacl -m \\(u:[0-9]*:[rwx-]*\\).*/\\1/p' $rule)" /dev/kvm
          done
          rm /run/busy
        } </dev/null >/dev/null 2>&1 & ;;
      esac
      case "$*" in *settle*) while test -e /run/busy; do sleep 0.02; done ;; esac
      """, mode: 0o755)
    try PrivateMachine.bind(script, to: "/usr/bin/udevadm")
    before = try `The service that grants devices`.list()
  }

  func list() throws -> AccessList { try `The service that grants devices`.list() }

  /// Waits for udev to finish, and returns whether the list is as before and no grant is left.
  func isAsBefore() async throws -> Bool {
    while FileManager.default.fileExists(atPath: "/run/busy") {
      // `Task.sleep` could resume on a thread with other mounts.
      usleep(10_000)
    }
    let standing = try await service.grants()
    return try standing.isEmpty && list() == before && files() == []
  }

  /// The files of permanent grants.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: "\(folder.directory.path)/record/lasting-rules"
    )
    .sorted()
  }

  func give(
    _ user: String, _ permissions: Permissions, _ lifetime: GrantRequest.Lifetime
  ) async throws -> String {
    try await service.grant(
      GrantRequest(.path(Self.node), to: user, for: permissions, lifetime: lifetime)
    ).grant.id
  }
}

/// Uses rules that a udev private to this process reads.
@Suite(.requiresPrivateMounts, .timeLimit(.minutes(5)))
struct `A permanent grant` {
  @Test func `leaves the list as it was, in whatever order it ends with others`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      for users in [["nobody", "daemon"], ["nobody", "nobody"], ["daemon", "nobody"]] {
        for isLasting in [[true, true], [true, false], [false, true]] {
          for isFirst in [true, false] {
            let lifetimes = isLasting.map { $0 ? GrantRequest.Lifetime.permanent : .seconds(60) }
            var ids = [try await scene.give(users[0], .read, lifetimes[0])]
            ids.append(try await scene.give(users[1], [.read, .write], lifetimes[1]))
            if !isFirst { ids.reverse() }
            _ = try await scene.service.revoke(.id(ids[0]))
            guard try await scene.service.grants().map(\.grant.id) == [ids[1]],
              try await scene.service.grants().map(\.isLost) == [false]
            else { exit(1) }
            _ = try await scene.service.revoke(.id(ids[1]))
            guard try await scene.isAsBefore() else {
              print(users, isLasting, isFirst, try scene.list().text)
              exit(2)
            }
          }
        }
      }
      exit(0)
    }
  }

  @Test func `is not given again by an event that taking it back began`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      _ = try await scene.give("nobody", .read, .permanent)
      _ = try await scene.give("nobody", [.read, .write], .seconds(60))
      guard try await scene.service.revoke(.path(PermanentScene.node, user: nil)).count == 2 else {
        exit(1)
      }
      guard try await scene.isAsBefore() else { exit(2) }
      // An event that was already under way, such as the one for plugging in the device.
      let id = try await scene.give("nobody", .read, .permanent)
      let device = "\(scene.folder.directory.path)/sys/devices/virtual/misc/kvm"
      guard UdevRuleFolder.trigger(device, waits: false) else { exit(3) }
      _ = try await scene.service.revoke(.id(id))
      exit(try await scene.isAsBefore() ? 0 : 4)
    }
  }

  @Test func `is recorded until its entry is gone`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      let ids = [
        try await scene.give("nobody", .read, .permanent),
        try await scene.give("daemon", .read, .permanent),
      ]
      try PrivateMachine.change("/dev", flags: PrivateMachine.readOnly)
      guard (try? await scene.service.revoke(.kind("kvm", user: nil))) == nil else { exit(1) }
      // udev no longer reads either rule, but both grants can still be revoked.
      guard try scene.files().allSatisfy({ $0.hasSuffix(".rules.revoked") }),
        try await Set(scene.service.grants().map(\.grant.id)) == Set(ids)
      else { exit(2) }
      try PrivateMachine.change("/dev", flags: 0)
      guard try await scene.service.revoke(.kind("kvm", user: nil)).count == 2 else { exit(3) }
      exit(try await scene.isAsBefore() ? 0 : 4)
    }
  }

  @Test func `takes nothing from another of the same user that was given before`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      for _ in 0..<5 {
        _ = try await scene.give("nobody", .read, .permanent)
        _ = try await scene.give("nobody", [.read, .write], .permanent)
        let device = "\(scene.folder.directory.path)/sys/devices/virtual/misc/kvm"
        guard UdevRuleFolder.trigger(device, waits: false) else { exit(1) }
        UdevRuleFolder.settle()
        guard try scene.list().gives([.read, .write], toUser: 65534) else { exit(2) }
        _ = try await scene.service.revoke(.kind("kvm", user: nil))
        guard try await scene.isAsBefore() else { exit(3) }
      }
      exit(0)
    }
  }

  @Test func `is taken back by the commands that are told`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      let read = Permissions.read
      let both: Permissions = [.read, .write]
      let grants: [[(user: String, access: Permissions, isLasting: Bool)]] = [
        [("daemon", both, true)],
        [("daemon", both, true), ("nobody", both, false)],
        [("daemon", read, false), ("daemon", both, true)],
        [("nobody", both, true), ("daemon", read, true), ("daemon", both, false)],
        [("daemon", read, true), ("daemon", both, true), ("nobody", read, true)],
      ]
      for entry in ["true", "setfacl -m u:daemon:r /dev/kvm"] {
        guard try SystemProgram.run(["sh", "-c", entry]) == 0 else { exit(1) }
        let list = try scene.list()
        for (number, all) in grants.enumerated() {
          var count = 0
          for one in all where entry == "true" || one != ("daemon", read, one.isLasting) {
            count += 1
            _ = try await scene.give(
              one.user, one.access, one.isLasting ? .permanent : .seconds(60))
          }
          let planned = try await scene.service.planRevoke(.kind("kvm", user: nil))
          let commands = planned.flatMap(\.commands).joined(separator: " && ")
          guard planned.count == count, try SystemProgram.run(["sh", "-c", commands]) == 0,
            try scene.list() == list, try scene.files() == []
          else {
            print(entry, number, planned.count, commands, try scene.list().text)
            exit(2)
          }
          // Grants without a rule are still recorded.
          _ = try? await scene.service.revoke(.kind("kvm", user: nil))
          guard try scene.list() == list else { exit(3) }
        }
      }
      exit(0)
    }
  }

  @Test func `leaves the access that comes with the seat`() async {
    await #expect(processExitsWith: .success) {
      let scene = try PermanentScene()
      let id = try await scene.give("nobody", .read, .permanent)
      scene.machine.activate(65534)
      try Data().write(to: URL(fileURLWithPath: "/run/calls"))
      _ = try await scene.service.revoke(.id(id))
      let calls = try String(contentsOfFile: "/run/calls", encoding: .utf8)
      let last = calls.split(separator: "\n").last ?? ""
      exit(last.hasPrefix("trigger --settle --action=change /") ? 0 : 1)
    }
  }
}
