import AccessModel
import Foundation
import LinuxTestSupport
import Synchronization
import Testing

@testable import DeviceWatching
@testable import LinuxDevices

@Suite struct `What wakes a watch` {
  /// Returns the facts about reading a path on this machine.
  private func facts(_ path: String) throws -> AccessFacts {
    try LinuxMachine().facts(for: Question(.path(path), wanted: .read))
  }

  @Test func `a plan watches every directory by the names that matter`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.file("folder/file")
    try directory.link("link", to: "folder/file")
    let plan = WatchPlan([try facts("\(directory.path)/link")])
    #expect(plan.directories["/"]?.contains("tmp") == true)
    #expect(plan.directories["/"]?.contains("dev") == false)
    #expect(plan.directories[directory.path] == .some(["link", "folder"]))
    #expect(plan.directories["\(directory.path)/folder"] == .some(["file"]))
    #expect(plan.files == ["\(directory.path)/link", "\(directory.path)/folder/file"])
  }

  /// Other nodes come and go in `/dev` all the time.
  @Test(arguments: [
    (DeviceKind.camera, ["video7", "media0", "udmabuf", "dma_heap"], ["sda", "tty1", "ttyUSB0"]),
    (.serial, ["ttyUSB9", "ttyS3", "ttyACM0"], ["tty1", "video0", "media0"]),
    (.kvm, ["kvm"], ["video0", "sda"]),
  ])
  func `a kind is waited for by the names that its nodes have`(
    kind: DeviceKind, wanted: [String], others: [String]
  ) throws {
    let facts = try LinuxMachine().facts(for: Question(.kind(kind)))
    let names = try #require(WatchPlan([facts]).directories["/dev"])
    for name in wanted { #expect(names.contains(name), "\(name)") }
    for name in others { #expect(!names.contains(name), "\(name)") }
    var unknown = facts
    unknown.kind = "something else"
    #expect(WatchPlan([unknown]).directories["/dev"] == .all)
  }

  @Test func `a name that is missing is waited for, also behind a link`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.link("link", to: "later")
    let plan = WatchPlan([try facts("\(directory.path)/link")])
    #expect(plan.directories[directory.path] == .some(["link", "later"]))
  }

  /// The kernel resolves `..` relative to the target of a link.
  @Test(arguments: ["link/later", "link/../beside", "link/deep/../later", "twice/later"])
  func `a name that is missing is waited for in the directory that links lead to`(
    _ name: String
  ) throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.directory("other/real/deep")
    try directory.link("link", to: "other/real")
    try directory.link("twice", to: "link")
    let plan = WatchPlan([try facts("\(directory.path)/\(name)")])
    let place = name.hasSuffix("beside") ? "other" : "other/real"
    let missing = name.hasSuffix("beside") ? "beside" : "later"
    #expect(plan.directories["\(directory.path)/\(place)"]?.contains(missing) == true)
  }

  @Test func `a file of contents is waited for through each link on the way to it`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("real/names")
    try directory.link("middle", to: "real")
    try directory.link("folder", to: "middle")
    try directory.link("real/first", to: "../second")
    try directory.link("second", to: file)
    let path = "\(directory.path)/folder/first"
    var plan = WatchPlan([])
    plan.addContents(of: path, by: PathNames(of: path) { _ in false })
    #expect(plan.contents == [path, file])
    #expect(
      plan.directories[directory.path] == .some(["folder", "middle", "real", "second"]))
    #expect(plan.directories["\(directory.path)/real"] == .some(["first", "names"]))
    #expect(plan.unfollowed == [:])
  }

  @Test func `what is left out of a plan is not watched`() throws {
    var plan = WatchPlan([try LinuxMachine().facts(for: Question(.path("/usr/bin/env")))])
    let file = "/usr/share/doc"
    plan.addContents(of: file, by: PathNames(of: file) { _ in false })
    #expect(plan.directories.keys.contains("/usr/bin"))
    plan.leaveOut { $0.hasPrefix("/usr") }
    #expect(plan.directories.keys.allSatisfy { !$0.hasPrefix("/usr") })
    #expect(plan.directories.keys.contains("/"))
    #expect(plan.files.isEmpty && plan.contents.isEmpty)
  }

  /// nsswitch.conf is a link on Fedora.
  @Test(arguments: ["link", "middle", "real/group"])
  func `account files are watched through links`(_ changed: String) throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.file("real/group")
    try directory.link("middle", to: "real")
    try directory.link("link", to: "middle/group")
    try directory.directory("etc")
    try directory.link("etc/group", to: "../link")
    var roots = MachineRoots()
    roots.etc = "\(directory.path)/etc"
    roots.run = "\(directory.path)/run"
    let files = try FileWatches {}
    #expect(files.coverAccounts(in: roots).gaps == [])
    #expect(files.take(reading: true).changes.questions == .none)
    let new = try directory.file("new")
    #expect(unsafe rename(new, "\(directory.path)/\(changed)") == 0)
    #expect(files.take(reading: true).changes.questions == .all)
    files.cancel()
  }

  @Test func `what has happened can be taken before it is told`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("file")
    let watch = try LinuxMachine().watch([.path(file)])
    _ = watch.cover([0: try facts(file)], pollingEvery: .seconds(3600))
    _ = watch.takeAllChanges()
    for round in 0..<1000 {
      // The thread that waits for events may be reading it at the same time.
      #expect(unsafe chmod(file, round % 2 == 0 ? 0o600 : 0o644) == 0)
      #expect(watch.takeAllChanges().questions.contains(0))
    }
  }

  @Test(arguments: [
    (TouchedQuestions.all, TouchedQuestions.none, true), (.all, .all, false),
    (.some([1, 2]), .all, false), (.some([1, 2]), .some([3]), true),
    (.some([1]), .some([1]), false),
  ])
  func `questions are disjoint that have none in common`(
    _ one: TouchedQuestions, _ other: TouchedQuestions, _ areDisjoint: Bool
  ) {
    #expect(one.isDisjoint(with: other) == areDisjoint)
    #expect(other.isDisjoint(with: one) == areDisjoint)
  }

  @Test func `other names wake nobody`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("file")
    let count = Atomic<Int>(0)
    let files = try FileWatches { count.add(1, ordering: .relaxed) }
    let plan = WatchPlan([try facts(file)])
    let coverage = files.cover(plan, for: 0)
    #expect(coverage.new.isSuperset(of: ["/", "/tmp", directory.path, file]))
    #expect(coverage.gaps == [])
    #expect(files.cover(plan, for: 0) == ([], []))
    for number in 0..<1000 { try directory.file("other\(number)") }
    #expect(count.load(ordering: .relaxed) == 0)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    while count.load(ordering: .relaxed) == 0 { try await Task.sleep(for: .milliseconds(1)) }
    files.cancel()
  }

  @Test func `a file that replaces another is watched in its place`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let file = try directory.file("file")
    let files = try FileWatches {}
    #expect(files.cover(WatchPlan([try facts(file)]), for: 0).new.contains(file))
    try directory.file("new")
    #expect(unsafe rename("\(directory.path)/new", file) == 0)
    #expect(files.cover(WatchPlan([try facts(file)]), for: 0).new == [file])
    #expect(files.cover(WatchPlan([try facts(file)]), for: 0).new == [])
    files.cancel()
  }

  @Test(.timeLimit(.minutes(5)))
  func `a change touches the questions that it matters to`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let files = try ["one/file", "two/file"].map { try directory.file($0) }
    let machine = LinuxMachine()
    let watch = try machine.watch(files.map { .path($0) })
    let found = try files.map(facts)
    #expect(watch.cover([0: found[0], 1: found[1]], pollingEvery: .seconds(3600)).isNew)
    // Sessions and mounts of other tests affect all questions.
    func touched(by change: () throws -> Void) async throws -> TouchedQuestions {
      for _ in 0..<100 {
        _ = watch.takeReportedChanges()
        try change()
        var touched = TouchedQuestions.none
        var signals = watch.signals.makeAsyncIterator()
        while touched == .none {
          _ = await signals.next()
          touched = watch.takeReportedChanges().questions
        }
        if touched != .all { return touched }
      }
      return .all
    }
    func setMode(_ path: String) throws {
      let mode = Int.random(in: 0o600...0o777)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }
    #expect(try await touched { try setMode(files[0]) } == .some([0]))
    #expect(try await touched { try setMode(files[1]) } == .some([1]))
    #expect(try await touched { try setMode("\(directory.path)/two") } == .some([1]))
    #expect(try await touched { try setMode(directory.path) } == .some([0, 1]))
    // The paths of the other question are still watched.
    #expect(!watch.cover([0: found[0]], pollingEvery: .seconds(3600)).isNew)
    #expect(try await touched { try setMode(files[1]) } == .some([1]))
    // The first file no longer matters to any question.
    #expect(watch.cover([0: found[1]], pollingEvery: .seconds(3600)).isNew)
    try setMode(files[0])
    #expect(try await touched { try setMode(files[1]) } == .some([0, 1]))
    watch.wake()
    #expect(watch.takeReportedChanges() == .all)
  }

  @Test(.requiresPrivateMounts) func `a mount is told`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      let directory = try TemporaryDirectory(in: "/tmp")
      let count = AtomicCount()
      let source = try MountSource.source(proc: "/proc") { count.add() }
      let registration = try EventLoop.shared.watch(source)
      try PrivateMachine.mountTemporary(at: directory.path)
      for _ in 0..<60_000 where count.value == 0 { usleep(1000) }
      #expect(count.value == 1)
      try PrivateMachine.change(directory.path, flags: PrivateMachine.readOnly)
      for _ in 0..<60_000 where count.value == 1 { usleep(1000) }
      #expect(count.value == 2)
      registration.cancel()
    }
  }

  @Test func `watches that end leave nothing open`() async {
    await #expect(processExitsWith: .success) {
      let machine = LinuxMachine()
      let facts = try machine.facts(for: Question(.kind(.camera)))
      for _ in 0..<2 {
        let watch = try machine.watch([.kind(.camera)])
        _ = watch.cover([0: facts], pollingEvery: .seconds(3600))
      }
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      let before = OwnProcess.descriptorCount
      for round in 0..<30 {
        let watch = try machine.watch([.kind(.camera), .path("/dev/null")])
        _ = watch.cover([0: facts], pollingEvery: .milliseconds(round % 2 == 0 ? 1 : 3_600_000))
        let task = Task { for await _ in watch.signals {} }
        if round % 3 == 0 { watch.wake() }
        task.cancel()
        await task.value
      }
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      #expect(!EventLoop.shared.isRunning)
      #expect(OwnProcess.leftNothing(openSince: before))
    }
  }

  @Test func `a gap is looked at after an interval`() async throws {
    var roots = MachineRoots()
    let run = try TemporaryDirectory()
    roots.run = run.path
    let machine = LinuxMachine(roots: roots)
    // No daemon has ever run here.
    let watch = try machine.watch([.kind(.camera)])
    let facts = try LinuxMachine().facts(for: Question(.path("/dev/null")))
    let coverage = watch.cover([0: facts], pollingEvery: .milliseconds(1))
    #expect(coverage.gaps.map(\.layer) == ["device-events"])
    var signals = watch.signals.makeAsyncIterator()
    for _ in 0..<3 { #expect(await signals.next() != nil) }
  }
}
