import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import Testing

@Suite(.timeLimit(.minutes(5))) struct `A script on the clock of a machine` {
  private func desk(_ clock: TestClock = TestClock()) -> InMemoryMachine {
    InMemoryMachine(clock: clock) {
      $0.addUser("alice", id: 1000)
      $0.addUser("bob", id: 1001)
      $0.addCamera()
      $0.logIn("alice")
      $0.run(as: "alice")
    }
  }

  private func answer(_ machine: InMemoryMachine) throws -> Answer {
    try machine.facts(for: Question(.kind(.camera))).explain().answer
  }

  @Test func `moves the access of tagged devices with the sessions`() async throws {
    let machine = desk()
    let steps: [(String, Answer, @Sendable (inout MachineDescription) -> Void)] = [
      ("the greeter comes", .refused, { $0.deactivateSession(of: "alice") }),
      ("bob logs in", .refused, { $0.logIn("bob") }),
      ("alice is back", .allowed, { $0.activateSession(of: "alice") }),
      ("over ssh nothing changes", .allowed, { $0.logIn("bob", seat: nil) }),
      ("bob is active", .refused, { $0.activateSession(of: "bob") }),
      ("bob logs out, and nobody is active", .refused, { $0.logOut("bob") }),
      ("alice is back once more", .allowed, { $0.activateSession(of: "alice") }),
      ("the camera goes", .absent, { $0.removeDevice("/dev/video0") }),
      ("and comes", .allowed, { $0.addCamera() }),
      ("its list is emptied", .refused, { $0.setACL("/dev/video0", user: "alice", []) }),
      ("alice logs out", .refused, { $0.logOut("alice") }),
    ]
    for (index, step) in steps.enumerated() {
      machine.change(after: .seconds(index + 1), step.2)
    }
    var last = try answer(machine)
    #expect(last == .allowed)
    for step in steps {
      await machine.clock.advance(by: .milliseconds(999))
      #expect(try answer(machine) == last, "\(step.0)")
      await machine.clock.advance(by: .milliseconds(1))
      last = try answer(machine)
      #expect(last == step.1, "\(step.0)")
    }
    let node = try machine.facts(for: Question(.path("/dev/video0"))).access.nodes.last
    #expect(node?.acl?.contains { $0.tag == .user && $0.id != nil } == false)
  }

  /// A waiter has to count the change as a sleeper too, or the clock may advance before it sleeps.
  @Test func `waits on the clock beside an effect that begins late`() async throws {
    let machine = desk()
    let clock = machine.clock
    machine.change(after: .seconds(60)) { $0.logIn("bob") }
    #expect(clock.sleeperCount == 1)
    let minute = Task {
      try await Task.sleep(for: .milliseconds(100))
      try await clock.sleep(for: .seconds(60))
    }
    await clock.waitForSleepers(2)
    await clock.advance(by: .seconds(60))
    try await minute.value
    #expect(clock.sleeperCount == 0)
    #expect(try answer(machine) == .refused)
  }

  @Test func `is told to those who watch answers, with the reasons`() async throws {
    let machine = desk()
    machine.change(after: .seconds(10)) { $0.logIn("bob") }
    machine.change(after: .seconds(20)) {
      $0.logOut("bob")
      $0.activateSession(of: "alice")
    }
    machine.change(after: .seconds(30)) { $0.removeDevice("/dev/video0") }
    let service = DeviceService(machine: machine)
    var changes = service.changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
    var answers: [Answer] = []
    var codes: [Set<String>] = []
    for _ in 0..<4 {
      let change = try #require(try await changes.next())
      answers.append(change.explanation.answer)
      codes.append(Set(change.differences.map(\.code.rawValue)))
      await machine.clock.advance(by: .seconds(10))
    }
    #expect(answers == [.allowed, .refused, .allowed, .absent])
    #expect(codes[1].isSuperset(of: ["acl", "session"]))
    #expect(codes[3].contains("device_removed"))
  }

  @Test func `is told to those who watch users, and has times`() async throws {
    let machine = desk()
    machine.change { $0.startTime = 1_700_000_000 }
    machine.change(after: .seconds(5)) {
      $0.hold(
        "/dev/video0", by: "cheese", pid: 10, user: "alice",
        DeviceHold(activity: .streaming, streamingSince: $0.now))
    }
    machine.change(after: .seconds(8)) { $0.release("/dev/video0", by: 10) }
    let service = DeviceUsageService(machine: machine)
    var changes = service.changes(of: [.kind(.camera)]).makeAsyncIterator()
    let first = try #require(try await changes.next())
    #expect(first.facts.observedAt == 1_700_000_000)
    await machine.clock.advance(by: .seconds(7))
    let opened = try #require(try await changes.next())
    #expect(opened.events.map(\.action) == [.opened])
    #expect(opened.facts.observedAt == 1_700_000_007)
    let hold = try #require(opened.facts.devices.first?.holders.first?.hold)
    #expect(hold.streamingSince == 1_700_000_005)
    await machine.clock.advance(by: .seconds(1))
    let closed = try #require(try await changes.next())
    #expect(closed.events.map(\.action) == [.closed])
  }

  @Test func `keeps the order of one moment, also for machines that share a clock`() async {
    let clock = TestClock()
    await clock.advance(by: .seconds(100))
    let (one, other) = (desk(clock), desk(clock))
    // Each change sees the results of the earlier ones.
    for machine in [one, other] {
      machine.change(after: .seconds(1)) { $0.addCamera(1) }
      machine.change(after: .seconds(1)) { $0.setMode(0o666, of: "/dev/video1") }
      machine.change(after: .seconds(2)) { $0.removeDevice("/dev/video1") }
      machine.change(after: .zero) { $0.addCamera(2) }
      #expect((try? machine.devices(of: .camera))?.count == 2)
    }
    await clock.run()
    #expect(clock.now.duration(to: TestClock().now) == .seconds(-102))
    for machine in [one, other] {
      #expect((try? machine.devices(of: .camera))?.map(\.kernelName) == ["video0", "video2"])
    }
  }

  @Test func `ends with its machine`() async {
    let clock = TestClock()
    weak var machine: InMemoryMachine?
    do {
      let desk = desk(clock)
      desk.change(after: .seconds(1)) { $0.removeDevice("/dev/video0") }
      machine = desk
      #expect(machine != nil)
    }
    #expect(machine == nil)
    await clock.run()
  }
}
