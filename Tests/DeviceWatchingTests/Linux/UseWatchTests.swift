import AccessModel
import DeviceWatching
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Real processes that open and close real nodes while they are watched.
@Suite(
  .serialized, .enabled(if: HoldingChild.program != nil, "device-holder is not beside the tests"),
  .timeLimit(.minutes(5)))
struct `Watching who uses a node` {
  /// Returns a watch for the users of a node.
  private func watch(_ path: String) throws -> any UseWatch {
    try LinuxMachine().watchUse(of: [.path(path)])
  }

  /// Scans after each signal until a condition is met.
  private func wait(
    _ watch: any UseWatch, until isSo: (UseScan) throws -> Bool
  ) async throws {
    var scan = try watch.scan(pollingEvery: .seconds(3600))
    while try !isSo(scan) {
      for await _ in watch.signals { break }
      scan = try watch.scan(pollingEvery: .seconds(3600))
    }
  }

  private func shows(_ child: HoldingChild) -> (UseScan) -> Bool {
    let number = child.number
    return { scan in scan.facts.devices.flatMap(\.holders).contains { $0.process.id == number } }
  }

  @Test(arguments: ["read", "write", "both"])
  func `sees it opened and closed`(way: String) async throws {
    let watch = try watch("/dev/full")
    #expect(try watch.scan(pollingEvery: .seconds(3600)).gaps == [])
    let child = try await HoldingChild(way, "/dev/full")
    try await wait(watch, until: shows(child))
    child.end()
    try await wait(watch) { !shows(child)($0) }
  }

  /// A container has its own nodes, and no event reports that one of them was closed.
  @Test(.requiresRoot) func `looks again while it is open through another node`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let node = "\(directory.path)/camera"
    try PrivateMachine.makeDevice(node, major: 1, minor: 9, mode: 0o666)
    let child = try await HoldingChild("both", node)
    // Other tests watch /dev/full and would see that it is open through another node.
    let watch = try watch("/dev/urandom")
    var scan = try watch.scan(pollingEvery: .milliseconds(10))
    // No event reports the open either.
    while !shows(child)(scan) {
      try await Task.sleep(for: .milliseconds(1))
      scan = try watch.scan(pollingEvery: .milliseconds(10))
    }
    #expect(scan.gaps.map(\.layer).contains("open-events"))
    child.end()
    var last = scan
    while shows(child)(last) {
      for await _ in watch.signals { break }
      last = try watch.scan(pollingEvery: .milliseconds(10))
    }
  }

  @Test func `sees the end of a mapping without a descriptor`() async throws {
    let watch = try watch("/dev/zero")
    let child = try await HoldingChild("map", "/dev/zero")
    try await wait(watch, until: shows(child))
    child.end()
    try await wait(watch) { !shows(child)($0) }
  }

  @Test(.requiresRoot) func `sees a node that comes, goes and comes again`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let node = "\(directory.path)/camera"
    let watch = try watch(node)
    #expect(try watch.scan(pollingEvery: .seconds(3600)).absentPaths == [node])
    for _ in 0..<2 {
      try PrivateMachine.makeDevice(node, major: 1, minor: 9, mode: 0o666)
      try await wait(watch) { $0.facts.devices.map(\.node) == [node] }
      let child = try await HoldingChild("both", node)
      try await wait(watch, until: shows(child))
      try SystemError.check(unsafe unlink(node), "unlink")
      try await wait(watch) { $0.absentPaths == [node] }
    }
  }

  @Test func `sees where a link leads, also when it is made to lead elsewhere`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let link = "\(directory.path)/camera"
    try directory.link("camera", to: "/dev/full")
    let watch = try watch(link)
    try await wait(watch) { $0.facts.devices.map(\.node) == ["/dev/full"] }
    try directory.link("new", to: "/dev/zero")
    #expect(unsafe rename("\(directory.path)/new", link) == 0)
    try await wait(watch) { $0.facts.devices.map(\.node) == ["/dev/zero"] }
  }

  @Test func `sees that a link on the way leads elsewhere, also one that another leads to`()
    async throws
  {
    let directory = try TemporaryDirectory(in: "/tmp")
    for (folder, node) in [("one", "/dev/full"), ("two", "/dev/zero")] {
      try directory.directory(folder)
      try directory.link("\(folder)/node", to: node)
    }
    try directory.link("middle", to: "one")
    let link = try directory.link("link", to: "middle")
    let watch = try watch("\(link)/node")
    #expect(try watch.scan(pollingEvery: .seconds(3600)).facts.devices.map(\.node) == ["/dev/full"])
    try directory.link("new", to: "two")
    #expect(unsafe rename("\(directory.path)/new", "\(directory.path)/middle") == 0)
    try await wait(watch) { $0.facts.devices.map(\.node) == ["/dev/zero"] }
  }

  /// A child of the holder keeps the file open, so the node causes no event.
  @Test func `sees that a holder ended whose child goes on`() async throws {
    let watch = try watch("/dev/full")
    let child = try await HoldingChild("inherited", "/dev/full")
    try await wait(watch, until: shows(child))
    child.end()
    try await wait(watch) { !shows(child)($0) }
  }

  @Test func `does not wake itself`() async throws {
    let watch = try watch("/dev/full")
    _ = try watch.scan(pollingEvery: .seconds(3600))
    let count = AtomicCount()
    let task = Task {
      for await _ in watch.signals {
        count.add()
        _ = try watch.scan(pollingEvery: .seconds(3600))
      }
    }
    // An open by this program is an event like any other, and is followed by three scans.
    close(unsafe open("/dev/full", O_RDONLY | O_CLOEXEC))
    while count.value < 2 { try await Task.sleep(for: .milliseconds(1)) }
    var isQuiet = false
    for _ in 0..<60 where !isQuiet {
      let before = count.value
      try await Task.sleep(for: .milliseconds(1200))
      isQuiet = count.value == before
    }
    #expect(isQuiet)
    task.cancel()
    _ = await task.result
  }

  @Test(.requiresRoot) func `is a gap where the node may not be read, and looks after an interval`()
    async throws
  {
    let directory = try TemporaryDirectory(in: "/tmp")
    let node = "\(directory.path)/camera"
    try PrivateMachine.makeDevice(node, major: 1, minor: 9, mode: 0o600)
    try SystemError.check(unsafe chmod(directory.path, 0o755), "chmod")
    await #expect(processExitsWith: .success) { [node = node as String] in
      try PrivateMachine.become(user: 65534, group: 65534)
      let watch = try LinuxMachine().watchUse(of: [.path(node)])
      let scan = try watch.scan(pollingEvery: .milliseconds(1))
      #expect(scan.gaps.map(\.layer) == ["open-events"])
      #expect(scan.gaps.map(\.at) == [node])
      #expect(scan.gaps.map(\.reason) == ["permission denied"])
      var signals = watch.signals.makeAsyncIterator()
      for _ in 0..<3 { #expect(await signals.next() != nil) }
    }
  }

  @Test func `leaves nothing open`() async {
    await #expect(processExitsWith: .success) {
      let machine = LinuxMachine()
      let own = unsafe open("/dev/full", O_RDONLY | O_CLOEXEC)
      _ = try machine.watchUse(of: [.path("/dev/full")]).scan(pollingEvery: .seconds(1))
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      let before = OwnProcess.descriptorCount
      for round in 0..<10 {
        let watch = try machine.watchUse(of: [.path("/dev/full"), .kind(.camera)])
        _ = try watch.scan(pollingEvery: .milliseconds(1))
        let task = Task { for await _ in watch.signals {} }
        if round % 3 == 0 { watch.wake() }
        close(unsafe open("/dev/full", O_RDONLY | O_CLOEXEC))
        task.cancel()
        await task.value
      }
      close(own)
      try await OwnProcess.waitForEventThread { EventLoop.shared.isRunning }
      #expect(!EventLoop.shared.isRunning)
      #expect(OwnProcess.leftNothing(openSince: before - 1))
    }
  }
}
