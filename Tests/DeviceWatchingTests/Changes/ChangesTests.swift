import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import LegoKit
import LinuxDevices
import LinuxTestSupport
import MachineSamples
import Synchronization
import Testing

@Suite struct `Answers that change` {
  let machine = InMemoryMachine.twoSessions()

  private func changes() -> AnswerChanges.Iterator {
    DeviceService(machine: machine).changes(to: [Question(.kind(.camera))]).makeAsyncIterator()
  }

  @Test func `come at once, and then with each reason`() async throws {
    var changes = changes()
    let first = try #require(try await changes.next())
    #expect(first.explanation.answer == .allowed)
    #expect(first.before == nil && first.differences == [] && first.gaps == [])

    machine.change { $0.activateSession(of: "bob") }
    let switched = try #require(try await changes.next())
    #expect(switched.explanation.answer == .refused)
    #expect(switched.explanation.cause?.code == .uaccessNotActive)
    #expect(switched.before?.answer == .allowed)
    #expect(switched.differences.map(\.code).contains(.seat))
    #expect(switched.differences.first?.text == "the session became inactive")

    machine.change { $0.removeDevice("/dev/video0") }
    let unplugged = try #require(try await changes.next())
    #expect(unplugged.explanation.answer == .absent)
    #expect(unplugged.differences.first?.code == .deviceRemoved)

    machine.change {
      $0.addCamera()
      $0.setACL("/dev/video0", user: "alice", [.read, .write])
    }
    let back = try #require(try await changes.next())
    #expect(back.explanation.answer == .allowed)
    #expect(back.explanation.decision.rule == .aclUser)
    #expect(back.differences.first?.code == .deviceAdded)
  }

  @Test func `are the same in brief, without what helps`() async throws {
    let service = DeviceService(machine: machine)
    let questions = [Question(.kind(.camera)), Question(.kind(.album)), Question(.path("/x"))]
    var full = service.changes(to: questions).makeAsyncIterator()
    var brief = service.changes(to: questions, in: .brief).makeAsyncIterator()
    func compare() async throws {
      var expected = try #require(try await full.next()).explanation
      let found = try #require(try await brief.next()).explanation
      (expected.remedies, expected.lookups, expected.note) = ([], [], nil)
      expected.evidence = []
      expected.decision.steps = expected.decision.steps.suffix(1)
      for index in expected.candidates.indices {
        let steps = expected.candidates[index].decision.steps
        expected.candidates[index].decision.steps = steps.suffix(1)
      }
      #expect(found == expected)
    }
    for _ in questions { try await compare() }
    machine.change { $0.activateSession(of: "bob") }
    try await compare()
    machine.change { $0.removeDevice("/dev/video0") }
    try await compare()
  }

  @Test func `are not told when only something else has changed`() async throws {
    var changes = changes()
    _ = try await changes.next()
    machine.change { $0.addDirectory("/srv") }
    machine.change { $0.setACL("/dev/video0", user: "bob", .read) }
    machine.change { $0.removeDevice("/dev/video0") }
    let next = try #require(try await changes.next())
    #expect(next.explanation.answer == .absent)
    #expect(next.differences.first?.text == "/dev/video0 was removed")
  }

  @Test func `name the device in question before others that went or came with it`() throws {
    var before = try machine.facts(for: Question(.kind(.camera)))
    var other = try #require(before.devices.first)
    other.sysfsPath = "/devices/virtual/radio0"
    other.node = "/dev/radio0"
    before.devices.insert(other, at: 0)
    var after = before
    after.devices = []
    let texts = ["/dev/video0 was removed", "/dev/radio0 was removed"]
    #expect(after.differences(from: before).prefix(2).map(\.text) == texts)
    #expect(before.differences(from: after).first?.text == "/dev/video0 was added")
  }

  @Test func `say that a virtual camera is fed now, or is not any more`() throws {
    var unfed = try machine.facts(for: Question(.kind(.camera)))
    unfed.devices[0].isFed = false
    var fed = unfed
    fed.devices[0].isFed = true
    #expect(fed.differences(from: unfed).map(\.text) == ["a program feeds /dev/video0 now"])
    #expect(unfed.differences(from: fed).map(\.text) == ["no program feeds /dev/video0 any more"])
    var renamed = fed
    renamed.devices[0].name = "Other"
    #expect(
      renamed.differences(from: fed).map(\.text) == ["what udev knows of /dev/video0 has changed"])
  }

  /// A device still exists if a mount covers its node.
  @Test func `name a mount before what it covers`() throws {
    func texts(_ target: Question.Target, _ node: String) throws -> [[String]] {
      let before = try machine.facts(for: Question(target))
      try #require(before.devices.map(\.node) == [node])
      var covered = before
      covered.devices = []
      covered.access.mounts.append(Mount(at: "/dev", fstype: "tmpfs"))
      return [covered.differences(from: before), before.differences(from: covered)]
        .map { $0.map(\.text) }
    }
    let mounts = Array(repeating: "the mount at /dev has changed", count: 2)
    #expect(try texts(.path("/dev/video0"), "/dev/video0") == mounts.map { [$0] })
    // sysfs shows a device even if its node is covered.
    let arrivals = ["/dev/video0 was removed", "/dev/video0 was added"]
    #expect(try texts(.kind(.camera), "/dev/video0") == zip(mounts, arrivals).map { [$0, $1] })
  }

  /// An object that can no longer be inspected or reached still exists.
  @Test func `do not take for gone what is hidden`() throws {
    machine.change {
      $0.addDirectory("/srv/one")
      $0.addFile("/srv/one/file", mode: 0o644)
    }
    let before = try machine.facts(for: Question(.path("/srv/one/file"), wanted: .read))
    func facts(_ change: (inout [Node]) -> Void) -> AccessFacts {
      var facts = before
      change(&facts.access.nodes)
      return facts
    }
    func texts(_ after: AccessFacts, _ before: AccessFacts) -> [String] {
      after.differences(from: before).filter { $0.code != .kernel }.map(\.text)
    }
    let gone = facts { $0.removeAll { $0.path == "/srv/one/file" } }
    #expect(texts(gone, before) == ["/srv/one/file is gone"])
    #expect(texts(before, gone) == ["/srv/one/file appeared"])

    let hidden = facts { nodes in
      nodes.removeAll { $0.path == "/srv/one/file" }
      for index in nodes.indices where nodes[index].path == "/srv/one" { nodes[index].mode = 0o700 }
    }
    #expect(texts(hidden, before) == ["the mode of /srv/one went from 0755 to 0700"])
    #expect(texts(before, hidden) == ["the mode of /srv/one went from 0700 to 0755"])

    var covered = facts { nodes in
      nodes.removeAll { $0.path == "/srv/one/file" }
      for index in nodes.indices where nodes[index].path == "/srv/one" {
        nodes[index].mode = 0o1777
      }
    }
    covered.access.mounts.append(Mount(at: "/srv/one", fstype: "tmpfs"))
    #expect(texts(covered, before) == ["tmpfs was mounted at /srv/one"])
    #expect(texts(before, covered) == ["/srv/one is not mounted any more"])
  }

  /// Each object has its own mode and owner.
  @Test func `do not take another object for one that has changed`() throws {
    machine.change {
      $0.addDirectory("/srv/one")
      $0.addFile("/srv/one/file", mode: 0o644)
    }
    let before = try machine.facts(for: Question(.path("/srv/one/file"), wanted: .read))
    var after = before
    for index in after.access.nodes.indices where after.access.nodes[index].path != "/" {
      after.access.nodes[index].uid = 7
    }
    func texts(_ arrivals: Set<String>) -> [String] {
      after.differences(from: before, replacing: arrivals).map(\.text)
    }
    let owners = ["/srv", "/srv/one", "/srv/one/file"].map {
      "the owner of \($0) went from 0:0 to 7:0"
    }
    #expect(texts([]) == owners)
    #expect(texts(["/srv/one/file2", "/srv/on", "/new"]) == owners)
    #expect(texts(["/srv/one/file"]) == owners[..<2] + ["something else is at /srv/one/file"])
    let others = ["/srv/one", "/srv/one/file"].map { "something else is at \($0)" }
    #expect(texts(["/srv/one"]) == owners[..<1] + others)
    // An identical replacement is not reported.
    #expect(before.differences(from: before, replacing: ["/"]).isEmpty)
  }

  @Test func `say that a link leads elsewhere, and not that what it led to is gone`() throws {
    machine.change {
      for place in ["/srv/one", "/srv/two"] {
        $0.addDirectory(place)
        $0.addFile("\(place)/file", mode: 0o644)
      }
      $0.addLink("/srv/link", to: "/srv/one/file")
    }
    let question = Question(.path("/srv/link"), wanted: .read)
    let before = try machine.facts(for: question)
    machine.change {
      $0.remove("/srv/link")
      $0.addLink("/srv/link", to: "/srv/two/file")
    }
    let after = try machine.facts(for: question)
    #expect(after.differences(from: before).map(\.text) == ["/srv/link leads elsewhere"])
  }

  @Test func `name the entry that is gone`() async throws {
    machine.change { $0.isLogindRunning = false }
    var changes = changes()
    #expect(try await changes.next()?.explanation.answer == .allowed)
    machine.change { $0.setACL("/dev/video0", user: "alice", []) }
    let next = try #require(try await changes.next())
    #expect(next.explanation.answer == .refused)
    #expect(next.differences.first?.text == "the ACL of /dev/video0 has user:1000:--- now")
  }

  @Test func `of several questions are told each by itself`() async throws {
    let questions = [
      Question(.kind(.camera)), Question(.path("/dev/none")), Question(.kind(.album)),
    ]
    var changes = DeviceService(machine: machine).changes(to: questions).makeAsyncIterator()
    var indices: [Int] = []
    for _ in 0..<3 { indices.append(try #require(try await changes.next()).index) }
    #expect(indices == [0, 1, 2])
    machine.change { $0.addFile("/dev/none") }
    #expect(try await changes.next()?.index == 1)
  }

  @Test func `end when the time is up`() async throws {
    var changes = DeviceService(machine: machine).changes(
      to: [Question(.kind(.camera))], for: .milliseconds(20)
    ).makeAsyncIterator()
    #expect(try await changes.next() != nil)
    #expect(try await changes.next() == nil)
    #expect(try await changes.next() == nil)
  }

  @Test func `leave no watch behind`() async throws {
    #expect(machine.watchCount == 0)
    do {
      var changes = changes()
      _ = try await changes.next()
      #expect(machine.watchCount == 1)
    }
    #expect(machine.watchCount == 0)
    let service = DeviceService(machine: machine)
    let task = Task {
      for try await _ in service.changes(to: [Question(.kind(.camera))]) {}
    }
    task.cancel()
    try await task.value
    #expect(machine.watchCount == 0)
  }

  @Test func `are as they last were, however fast they change`() async throws {
    let machine = machine
    let writer = Task.detached {
      for round in 0..<20_000 {
        machine.change { $0.activateSession(of: round % 2 == 0 ? "bob" : "alice") }
      }
      machine.change { $0.removeDevice("/dev/video0") }
    }
    var answers: [Answer] = []
    var changes = changes()
    while let change = try await changes.next() {
      answers.append(change.explanation.answer)
      if change.explanation.answer == .absent { break }
    }
    await writer.value
    #expect(zip(answers, answers.dropFirst()).allSatisfy { $0 != $1 })
  }

  @Test func `a machine that tells nothing is looked at again and again, and says so`() async throws
  {
    let silent = SilentMachine(machine)
    var changes = DeviceService(machine: silent).changes(
      to: [Question(.kind(.camera))], every: .milliseconds(1)
    ).makeAsyncIterator()
    #expect(try await changes.next()?.gaps.map(\.layer) == ["events"])
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(try await changes.next()?.explanation.answer == .absent)
  }

  /// The system briefly runs out of descriptors or memory.
  @Test func `a look that fails is tried again, and what changed meanwhile is told`() async throws {
    let exhausted = ExhaustedMachine(machine)
    var changes = DeviceService(machine: exhausted).changes(
      to: [Question(.kind(.camera))], every: .milliseconds(20)
    ).makeAsyncIterator()
    #expect(try await changes.next() != nil)
    exhausted.failures.store(3, ordering: .relaxed)
    machine.change { $0.removeDevice("/dev/video0") }
    let change = try await changes.next()
    #expect(change?.explanation.answer == .absent)
    #expect(change?.differences.map(\.code) == [.deviceRemoved])
    #expect(exhausted.failures.load(ordering: .relaxed) == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `what a look that failed was to see is told by the next one, whatever that is for`()
    async throws
  {
    let telling = TellingMachine(machine)
    let exhausted = ExhaustedMachine(telling)
    // The interval is too long to wait for a retry.
    var changes = DeviceService(machine: exhausted).changes(
      to: [Question(.kind(.camera)), Question(.kind(.microphone))], every: .seconds(3600)
    ).makeAsyncIterator()
    for _ in 0..<2 { #expect(try await changes.next()?.before == nil) }
    exhausted.failures.store(1, ordering: .relaxed)
    machine.change { $0.removeDevice("/dev/video0") }
    telling.tell(.some([0]))
    async let script: Void = {
      while exhausted.failures.load(ordering: .relaxed) > 0 {
        try await Task.sleep(for: .milliseconds(1))
      }
      telling.tell(.some([1]))
    }()
    let change = try await changes.next()
    try await script
    #expect(change?.index == 0)
    #expect(change?.explanation.answer == .absent)
  }

  /// A process that has ended does not come back.
  @Test func `a look that finds no subject any more ends it at once`() async throws {
    let error = DeviceError(.noSubject, operation: "find process", path: "4711")
    let ended = ExhaustedMachine(machine, error: error)
    var changes = DeviceService(machine: ended).changes(
      to: [Question(.kind(.camera))], every: .milliseconds(1)
    ).makeAsyncIterator()
    #expect(try await changes.next() != nil)
    ended.failures.store(2, ordering: .relaxed)
    machine.change { $0.removeDevice("/dev/video0") }
    await #expect(throws: error) { try await changes.next() }
    #expect(ended.failures.load(ordering: .relaxed) == 1)
    #expect(try await changes.next() == nil)
  }

  @Test func `looks that fail for long end it`() async throws {
    let exhausted = ExhaustedMachine(machine)
    var changes = DeviceService(machine: exhausted).changes(
      to: [Question(.kind(.camera))], every: .milliseconds(5)
    ).makeAsyncIterator()
    #expect(try await changes.next() != nil)
    exhausted.failures.store(.max, ordering: .relaxed)
    machine.change { $0.removeDevice("/dev/video0") }
    await #expect(throws: exhausted.error) { try await changes.next() }
    #expect(try await changes.next() == nil)
    // The retry of the failed scan may still be finishing.
    #expect(await eventually { machine.watchCount == 0 })
  }
}
