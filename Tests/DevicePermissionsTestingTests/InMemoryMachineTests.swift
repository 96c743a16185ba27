import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Foundation
import LegoKit
import LinuxDevices
import Testing

@Suite struct `Machine in memory` {
  private func explain(
    _ target: Question.Target = .kind(.camera),
    _ configure: (inout MachineDescription) -> Void
  ) throws -> Explanation {
    try InMemoryMachine(configure).facts(for: Question(target)).explain()
  }

  @Test func `an entry of a list is widened into the mask as setfacl does`() throws {
    let explanation = try explain {
      $0.addUser("alice", id: 1000)
      $0.addCamera(tags: [])
      $0.setMode(0o600, of: "/dev/video0")
      $0.setACL("/dev/video0", user: "alice", [.read, .write])
      $0.run(as: "alice")
    }
    #expect(explanation.decision.rule == .aclUser)
    #expect(explanation.status == .authorized)
  }

  @Test func `a mask takes an entry's force`() throws {
    let explanation = try explain {
      $0.addUser("alice", id: 1000)
      $0.addCamera(tags: [])
      $0.setACL("/dev/video0", user: "alice", [.read, .write])
      $0.setACLMask("/dev/video0", .read)
      $0.run(as: "alice")
    }
    #expect(explanation.cause?.code == .aclMask)
  }

  @Test func `chmod on a list sets its mask and not the group`() throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000, groups: ["video"])
      $0.addCamera(tags: [])
      $0.setACL("/dev/video0", user: "root", [.read, .write])
      $0.setMode(0o640, of: "/dev/video0")
      $0.run(as: "alice")
    }
    let node = try #require(
      try machine.facts(for: Question(.kind(.camera))).access.nodes
        .first { $0.path == "/dev/video0" })
    #expect(node.acl?.contains(ACLEntry(.group, nil, [.read, .write])) == true)
    #expect(node.acl?.contains(ACLEntry(.mask, nil, .read)) == true)
    #expect(node.mode == 0o640)
  }

  @Test func `a group that was joined after the login does not count yet`() throws {
    let explanation = try explain {
      $0.addUser("alice", id: 1000)
      $0.addCamera(tags: [])
      $0.run(as: "alice")
      $0.addUser("alice", toGroup: "video")
    }
    #expect(explanation.cause?.code == .groupNotRefreshed)
  }

  @Test func `links lead to the device and go with it`() throws {
    var device = DeviceFacts(
      node: "/dev/video0", sysfsPath: "/sys/devices/platform/cam/video4linux/video0",
      subsystem: "video4linux", kernelName: "video0")
    device.number = DeviceNumber(major: 81, minor: 0)
    device.links = ["/dev/v4l/by-id/cam"]
    let machine = InMemoryMachine { [device] in $0.addDevice(device, group: "video") }
    let question = Question(.path("/dev/v4l/by-id/cam"))
    #expect(try machine.facts(for: question).explain().decision.at == "/dev/video0")
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(try machine.facts(for: question).explain().availability == .absent)
  }

  @Test func `is put together as the running system is`() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString)"
    try FileManager.default.createDirectory(
      atPath: folder + "/inside", withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createSymbolicLink(
      atPath: folder + "/link", withDestinationPath: "inside/../inside")
    try Data().write(to: URL(fileURLWithPath: folder + "/inside/file"))
    let question = Question(.path(folder + "/link/file"))
    let real = try LinuxMachine().facts(for: question)
    let described = try InMemoryMachine {
      $0.addDirectory(folder + "/inside")
      $0.addFile(folder + "/inside/file")
      $0.addLink(folder + "/link", to: "inside/../inside")
    }.facts(for: question)
    #expect(described.access.nodes.map(\.path) == real.access.nodes.map(\.path))
    #expect(described.access.nodes.map(\.type) == real.access.nodes.map(\.type))
    #expect(described.access.request == real.access.request)
    #expect(
      described.kernelChecks.map { [$0.path, "\($0.mode)"] }
        == real.kernelChecks.map { [$0.path, "\($0.mode)"] })
  }

  @Test func `a metadata node has its camera beside it, as on the running system`() throws {
    let machine = InMemoryMachine { $0.addCamera(metadataSibling: true) }
    let facts = try machine.facts(for: Question(.path("/dev/video1")))
    #expect(facts.devices.map(\.kernelName) == ["video0", "video1"])
  }

  @Test func `a link that leads in a circle is walked to its end`() throws {
    let facts = try InMemoryMachine {
      $0.addLink("/a", to: "b")
      $0.addLink("/b", to: "/a")
    }.facts(for: Question(.path("/a")))
    #expect(facts.access.decide().outcome == .denied(errno: 40))
  }

  @Test func `a microphone of a desktop follows the session, and one of a server does not`() throws
  {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addMicrophone(tags: ["uaccess"])
      $0.addMicrophone(1)
      $0.run(as: "alice")
    }
    func status(_ card: Int) throws -> PermissionStatus {
      let question = Question(.path("/dev/snd/pcmC\(card)D0c"), wanted: .read)
      return try machine.facts(for: question).explain().status
    }
    #expect(try [status(0), status(1)] == [.denied, .denied])
    machine.change { $0.logIn("alice") }
    #expect(try [status(0), status(1)] == [.authorized, .denied])
  }

  @Test func `a machine without logind gives no access by session`() throws {
    let explanation = try explain {
      $0.isLogindRunning = false
      $0.addUser("alice", id: 1000)
      $0.logIn("alice")
      $0.addCamera()
      $0.run(as: "alice")
    }
    #expect(explanation.status == .denied)
  }

  @Test(arguments: ["", String(repeating: "x", count: 4096), "/a\0b"])
  func `an impossible path is an error, not an answer`(path: String) {
    #expect(throws: DeviceError.self) {
      try InMemoryMachine().facts(for: Question(.path(path)))
    }
  }

  @Test func `events end when their reader does`() async throws {
    let machine = InMemoryMachine()
    let task = Task {
      var seen = 0
      for await _ in try machine.events() { seen += 1 }
      return seen
    }
    task.cancel()
    _ = try await task.value
    machine.change { $0.addCamera() }
  }
}

@Suite(.machine { $0.addUser("alice", id: 1000) })
struct `Machine trait` {
  @Test func `gives every test a machine of its own`() throws {
    let machine = try #require(MachineTrait.current)
    machine.change {
      $0.addCamera()
      $0.run(as: "alice")
    }
    #expect(Contractors().permissions.report(for: Question(.kind(.camera))).status == .denied)
  }

  @Test func `does not show another test's changes`() throws {
    let report = Contractors().permissions.report(for: Question(.kind(.camera)))
    #expect(report.availability == .absent)
  }

  @Test(.machine { $0.addCamera() })
  func `an inner trait replaces the outer one`() {
    #expect(Contractors().permissions.requestStatus().camera == .authorized)
  }

  @Test func `another user is asked about as at a new login`() throws {
    let machine = InMemoryMachine {
      $0.addUser("alice", id: 1000)
      $0.addUser("bob", id: 1001, groups: ["video"])
      $0.addCamera(tags: [])
      $0.run(as: "alice")
    }
    let own = try machine.facts(for: Question(.kind(.camera))).explain()
    #expect(own.answer == .refused)
    for word in ["bob", "1001"] {
      let facts = try machine.facts(for: Question(.kind(.camera), subject: .user(word)))
      #expect(facts.explain().answer == .allowed)
      #expect(facts.origin == SubjectOrigin(.user, name: "bob"))
    }
    // The machine's own subject has not changed.
    #expect(try machine.facts(for: Question(.kind(.camera))).account.user == "alice")
    for subject in [SubjectSelector.user("carol"), .process(1), .unit("x")] {
      let error = #expect(throws: DeviceError.self) {
        try machine.facts(for: Question(.kind(.camera), subject: subject))
      }
      #expect(error?.code == .noSubject)
    }
  }

  @Test func `a service lists devices for another subject`() async throws {
    let service = DeviceService(
      machine: InMemoryMachine {
        $0.addUser("alice", id: 1000)
        $0.addCamera(tags: [])
        $0.run(as: "root")
      })
    #expect(try await service.list(.camera, for: .user("alice")).map(\.access) == [[]])
    let variation = SubjectVariation(addedGroups: ["video"])
    let varied = try await service.list(.camera, for: .user("alice"), variation: variation)
    #expect(varied.map(\.access) == [[.read, .write]])
  }

  /// Each mistake is an error in the test itself.
  @Test func `a mistake in a description ends the test`() async {
    await #expect(processExitsWith: .failure) {
      _ = InMemoryMachine { $0.removeDevice("/dev") }
    }
    await #expect(processExitsWith: .failure) { _ = InMemoryMachine { $0.removeDevice("") } }
    await #expect(processExitsWith: .failure) { _ = InMemoryMachine { $0.logIn("nobody-known") } }
    await #expect(processExitsWith: .failure) { _ = InMemoryMachine { $0.logOut("root") } }
    await #expect(processExitsWith: .failure) { _ = InMemoryMachine { $0.addCamera(-1) } }
    await #expect(processExitsWith: .failure) {
      _ = InMemoryMachine {
        $0.addCamera(2)
        $0.addCamera(1, metadataSibling: true)
      }
    }
    await #expect(processExitsWith: .failure) {
      _ = InMemoryMachine { $0.failOpening("/dev/video0", errno: .busy) }
    }
    await #expect(processExitsWith: .failure) {
      _ = InMemoryMachine { $0.hold("/home", by: "ls", pid: 1, user: "root") }
    }
  }
}
