import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Glibc
import LinuxDevices
import MachineSamples
import Synchronization
import Testing

@Suite struct `Users that change` {
  let machine = InMemoryMachine {
    $0.addUser("alice", id: 1000)
    $0.addUser("bob", id: 1001)
    $0.addCamera()
  }

  private func changes(_ targets: [Question.Target] = [.kind(.camera)]) -> UseChanges.Iterator {
    DeviceUsageService(machine: machine).changes(of: targets).makeAsyncIterator()
  }

  private func words(_ change: UseChange?) -> [String]? {
    change?.events.map { event in
      [event.action.rawValue, event.device.node, event.user?.name].compactMap(\.self)
        .joined(separator: " ")
    }
  }

  @Test func `come as they are, and then with who began and who stopped`() async throws {
    machine.change { $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob") }
    var changes = changes()
    let first = try #require(try await changes.next())
    #expect(first.isFirst && first.events == [] && first.gaps == [])
    #expect(first.facts.devices.first?.holders.map(\.process.id) == [7])
    machine.change { $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice") }
    let opened = try await changes.next()
    #expect(words(opened) == ["opened /dev/video0 cheese"])
    #expect(opened?.isFirst == false)
    machine.change { $0.release("/dev/video0", by: 7) }
    #expect(words(try await changes.next()) == ["closed /dev/video0 motion"])
    machine.change { $0.endProcess(9) }
    let closed = try #require(try await changes.next())
    #expect(words(closed) == ["closed /dev/video0 cheese"])
    #expect(closed.facts.devices.first.map(closed.facts.state) == .free)
  }

  /// The node was removed for a moment, and no program opened it again.
  @Test func `are not told to open what they kept open`() async throws {
    machine.change { $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob") }
    var changes = changes()
    _ = try await changes.next()
    machine.change { $0.removeDevice("/dev/video0") }
    #expect(words(try await changes.next()) == ["removed /dev/video0"])
    machine.change {
      $0.addCamera()
      $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob")
      $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice")
    }
    #expect(
      words(try await changes.next()) == ["added /dev/video0", "opened /dev/video0 cheese"])
  }

  /// A scan that fails to find users does not mean that any of them started or stopped.
  @Test func `are not known while looks fail, which is no event`() async throws {
    let exhausted = ExhaustedMachine(machine)
    var changes = DeviceUsageService(machine: exhausted).changes(
      of: [.kind(.camera)], every: .milliseconds(20)
    ).makeAsyncIterator()
    _ = try await changes.next()
    exhausted.failures.store(3, ordering: .relaxed)
    let failed = try #require(try await changes.next())
    #expect(failed.events == [] && failed.gaps.map(\.reason) == ["too many open files"])
    #expect(failed.facts.devices.map(failed.facts.state) == [.unknown])
    let again = try #require(try await changes.next())
    #expect(again.events == [] && again.facts.devices.map(again.facts.state) == [.free])
    exhausted.failures.store(2, ordering: .relaxed)
    machine.change { $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice") }
    #expect(words(try await changes.next()) == [])
    #expect(words(try await changes.next()) == ["opened /dev/video0 cheese"])
  }

  /// The consumer was busy, so no scan took place while the node was away.
  @Test(arguments: [false, true])
  func `are those of another device in the same place`(isHeld: Bool) async throws {
    var changes = changes()
    _ = try await changes.next()
    if isHeld { machine.change { $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob") } }
    if isHeld { #expect(words(try await changes.next()) == ["opened /dev/video0 motion"]) }
    machine.change {
      $0.removeDevice("/dev/video0")
      $0.addCamera(name: "Another")
    }
    let change = try #require(try await changes.next())
    #expect(words(change) == ["removed /dev/video0", "added /dev/video0"])
    #expect(change.facts.devices.map(\.device?.name) == ["Another"])
  }

  @Test func `are told once where a kind and paths mean the same`() async throws {
    let video: Question.Target = .path("/dev/video0")
    let absent: Question.Target = .path("/dev/video5")
    var changes = changes([video, video, .kind(.camera), absent, absent])
    let first = try #require(try await changes.next())
    #expect(first.facts.devices.map(\.node) == ["/dev/video0"])
    #expect(first.absentPaths == ["/dev/video5"])
    machine.change { $0.addCamera(5) }
    #expect(words(try await changes.next()) == ["added /dev/video5"])
  }

  @Test func `are over after an error, and where no device is asked about`() async throws {
    machine.change { $0.addFile("/srv/file") }
    var changes = changes([.path("/srv/file")])
    await #expect(throws: DeviceError.self) { _ = try await changes.next() }
    #expect(try await changes.next() == nil)
    var none = self.changes([])
    #expect(try await none.next() == nil)
  }

  /// A program may keep the iterator, for example in top-level code.
  @Test func `end their watch with the time, and not with the iterator`() async throws {
    var changes = DeviceUsageService(machine: machine)
      .changes(of: [.kind(.camera)], for: .milliseconds(1)).makeAsyncIterator()
    while try await changes.next() != nil {}
    #expect(machine.watchCount == 0)
    #expect(try await changes.next() == nil)
  }

  @Test func `may be waited for as long as a duration can be`() async throws {
    var changes = DeviceUsageService(machine: machine)
      .changes(of: [.kind(.camera)], for: .seconds(Int64.max)).makeAsyncIterator()
    #expect(try await changes.next()?.isFirst == true)
    machine.change { $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob") }
    #expect(words(try await changes.next()) == ["opened /dev/video0 motion"])
  }

  @Test func `are not told when something else has changed`() async throws {
    var changes = changes()
    _ = try await changes.next()
    machine.change { $0.addDirectory("/srv") }
    machine.change { $0.logIn("alice") }
    machine.change { $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice") }
    #expect(words(try await changes.next()) == ["opened /dev/video0 cheese"])
  }

  @Test func `follow devices that come and go`() async throws {
    var changes = changes()
    _ = try await changes.next()
    machine.change { $0.addCamera(2) }
    #expect(words(try await changes.next()) == ["added /dev/video2"])
    machine.change { $0.hold("/dev/video2", by: "cheese", pid: 9, user: "alice") }
    #expect(words(try await changes.next()) == ["opened /dev/video2 cheese"])
    machine.change { $0.removeDevice("/dev/video2") }
    #expect(words(try await changes.next()) == ["removed /dev/video2"])
  }

  @Test func `of a path that leads nowhere yet are waited for`() async throws {
    var changes = changes([.path("/dev/video4")])
    let first = try #require(try await changes.next())
    #expect(first.absentPaths == ["/dev/video4"] && first.facts.devices == [])
    machine.change { $0.addCamera(4) }
    let added = try await changes.next()
    #expect(words(added) == ["added /dev/video4"])
    #expect(added?.absentPaths == [])
  }

  @Test func `of what is no device are refused`() async {
    var changes = changes([.path("/dev")])
    await #expect(throws: DeviceError.self) { try await changes.next() }
  }

  @Test func `go on while something else is in the place of a device`() async throws {
    var changes = changes([.path("/dev/video0")])
    #expect(try await changes.next()?.absentPaths == [])
    machine.change {
      $0.removeDevice("/dev/video0")
      $0.addFile("/dev/video0")
    }
    let taken = try #require(try await changes.next())
    #expect(words(taken) == ["removed /dev/video0"])
    #expect(taken.absentPaths == ["/dev/video0"] && taken.gaps == [])
    machine.change {
      $0.remove("/dev/video0")
      $0.addCamera()
    }
    let back = try #require(try await changes.next())
    #expect(words(back) == ["added /dev/video0"])
    #expect(back.absentPaths == [])
  }

  @Test func `who cannot be seen leave the device unknown, never free`() async throws {
    machine.change {
      $0.run(as: "alice")
      $0.hold("/dev/video0", by: "motion", pid: 7, user: "bob")
      $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice")
    }
    var changes = changes()
    _ = try await changes.next()
    machine.change { $0.endProcess(9) }
    let closed = try #require(try await changes.next())
    #expect(words(closed) == ["closed /dev/video0 cheese"])
    #expect(closed.facts.devices.first.map(closed.facts.state) == .unknown)
  }

  @Test func `are without this process where that is asked for`() async throws {
    let file = unsafe open("/dev/full", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let service = DeviceUsageService()
    for byOthers in [false, true] {
      var changes = service.changes(of: [.path("/dev/full")], byOthers: byOthers)
        .makeAsyncIterator()
      let first = try #require(try await changes.next())
      let holders = first.facts.devices.flatMap(\.holders).map(\.process.id)
      #expect(holders.contains(getpid()) != byOthers)
    }
  }

  @Test func `end when the time is up, and leave no watch behind`() async throws {
    do {
      var changes = DeviceUsageService(machine: machine)
        .changes(of: [.kind(.camera)], for: .milliseconds(20)).makeAsyncIterator()
      #expect(try await changes.next() != nil)
      #expect(machine.watchCount == 1)
      #expect(try await changes.next() == nil)
    }
    #expect(machine.watchCount == 0)
    let service = DeviceUsageService(machine: machine)
    let task = Task { for try await _ in service.changes(of: [.kind(.camera)]) {} }
    task.cancel()
    try await task.value
    #expect(machine.watchCount == 0)
  }

  @Test func `are as they last were, however fast they change`() async throws {
    let machine = machine
    let writer = Task.detached {
      for round in 0..<5000 {
        machine.change {
          if round % 2 == 0 {
            $0.hold("/dev/video0", by: "cheese", pid: 9, user: "alice")
          } else {
            $0.endProcess(9)
          }
        }
      }
      machine.change { $0.hold("/dev/video0", by: "last", pid: 10, user: "alice") }
    }
    var changes = changes()
    var holders: [String] = []
    while let change = try await changes.next() {
      for event in change.events {
        guard let name = event.user?.name else { continue }
        if event.action == .opened { holders.append(name) }
        if event.action == .closed { holders.removeAll { $0 == name } }
      }
      let now = change.facts.devices.flatMap(\.holders).map(\.process.name)
      if change.isFirst { holders = now }
      #expect(holders.sorted() == now.sorted())
      if now == ["last"] { break }
    }
    await writer.value
  }
}
