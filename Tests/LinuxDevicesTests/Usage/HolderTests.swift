import AccessModel
import Glibc
import LinuxTestSupport
import Testing

@testable import LinuxDevices

/// Real processes that hold real nodes.
@Suite(
  .serialized, .enabled(if: HoldingChild.program != nil, "device-holder is not beside the tests"))
struct `Holders` {
  @Test(
    arguments: [("read", .read), ("write", .write), ("both", [.read, .write])]
      as [(String, Permissions)])
  func `are seen with what they opened the device for`(
    way: String, access: Permissions
  ) async throws {
    let child = try await HoldingChild(way, "/dev/full")
    let holder = try await child.holder(of: "/dev/full")
    #expect(holder.hold == DeviceHold(descriptors: 1, access: access))
    #expect(holder.process.user == geteuid())
    #expect(holder.process.executable == HoldingChild.program)
    let start = try #require(holder.notBefore)
    #expect(start <= time(nil) && start > time(nil) - 600)
    child.end()
    let after = try LinuxMachine().use(of: [.path("/dev/full")])
    #expect(!after.devices.flatMap(\.holders).contains { $0.process.name == child.name })
  }

  /// prctl(2) accepts an empty name.
  @Test func `are named by their program where they have no name`() throws {
    let proc = try TemporaryDirectory()
    try proc.file("7/stat", "7 () S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 100 0 0 0 0 0 0 0 0 0\n")
    let observer = HolderObserver(clock: MachineClock(proc: proc.path))
    let folder = try OpenDirectory("\(proc.path)/7")
    #expect(try observer.process(7, in: folder.descriptor).name == "?")
    try makeLink("\(proc.path)/7/exe", to: Array("/usr/bin/thing".utf8))
    #expect(try observer.process(7, in: folder.descriptor).name == "thing")
  }

  @Test func `only name the node with O_PATH, and hold nothing`() async throws {
    let child = try await HoldingChild("path", "/dev/full")
    #expect(try await child.isNotShown(as: "/dev/full"))
  }

  @Test func `are seen by a mapping alone`() async throws {
    let child = try await HoldingChild("map", "/dev/zero")
    let holder = try await child.holder(of: "/dev/zero")
    #expect(holder.hold == DeviceHold(descriptors: 0, access: nil, isMapped: true))
  }

  @Test(arguments: [3, 9, 11, 12, 13, 40, 255, 900])
  func `are seen whatever number their descriptor has`(number: Int32) async throws {
    await #expect(processExitsWith: .success) { [number = number as Int32] in
      let file = unsafe Glibc.open("/dev/full", O_RDONLY | O_CLOEXEC)
      try #require(dup2(file, 50 + number) == 50 + number)
      if file != 50 + number { close(file) }
      let facts = try LinuxMachine().use(of: [.path("/dev/full")])
      let own = facts.devices.flatMap(\.holders).first { $0.process.id == getpid() }
      #expect(own?.hold.descriptors == 1)
      #expect(own?.hold.access == .read)
    }
  }

  /// Other descriptors that come and go hide nothing.
  @Test(arguments: [true, false])
  func `are seen every time while others are opened and closed`(
    startsAtNumbers: Bool
  ) async throws {
    let child = try await HoldingChild("churn", "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    var scanner = try Self.scanner(startsAtNumbers: startsAtNumbers)
    var seen: [[Int]] = []
    for _ in 0..<300 {
      seen.append(try scanner.scan(at: child.number)?.holds.values.map(\.descriptors) ?? [])
    }
    #expect(Set(seen) == [[1]])
  }

  /// Returns a scanner for the holders of `/dev/full`.
  private static func scanner(startsAtNumbers: Bool = true) throws -> ProcessScanner {
    let file = try OpenFile(following: "/dev/full", in: AT_FDCWD)
    let target = UseTarget(
      node: "/dev/full", number: try #require(file.device), identity: file.identity)
    return try ProcessScanner(
      proc: "/proc", targets: [target], isLive: true, startsAtNumbers: startsAtNumbers,
      refusal: .refused, observer: HolderObserver(clock: MachineClock(proc: "/proc")))
  }

  /// Waits until a child has ended, and leaves it a zombie.
  private static func awaitEnd(of child: pid_t) throws {
    try SystemError.check(
      waitid(P_PID, id_t(child), nil, WEXITED | WNOWAIT), "waitid")
  }

  @Test func `are seen where the first thread has ended`() async throws {
    let child = try await HoldingChild("headless", "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    // The child gets its name before its first thread ends.
    #expect(await eventually { child.hasLostFirstThread })
    #expect(try await child.holder(of: "/dev/full").hold == DeviceHold())
  }

  @Test func `are seen by a mapping alone where the first thread has ended`() async throws {
    let child = try await HoldingChild("headless-map", "/dev/zero")
    #expect(await eventually { child.hasLostFirstThread })
    let holder = try await child.holder(of: "/dev/zero")
    #expect(holder.hold == DeviceHold(descriptors: 0, access: nil, isMapped: true))
    // The program cannot be determined, and its name proves nothing.
    #expect(holder.process.isOfSystem == false)
  }

  @Test(.requiresRoot) func `are the system's only where their program can be looked at`()
    async throws
  {
    let child = try await HoldingChild("both", "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    await #expect(processExitsWith: .success) { [number = child.number as pid_t] in
      try SystemError.check(setgid(65534), "setgid")
      try SystemError.check(setuid(65534), "setuid")
      let folder = try OpenDirectory("/proc/\(number)")
      let process = try HolderObserver(clock: MachineClock(proc: "/proc"))
        .process(number, in: folder.descriptor)
      #expect(process.executable == nil && process.isOfSystem == false)
    }
  }

  /// Few facts show whether a process of another user can hold anything.
  @Test(.requiresRoot, arguments: ["both", "headless"])
  func `of another user are not taken for parts of the kernel`(way: String) async throws {
    let child = try await HoldingChild(way, "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    await #expect(processExitsWith: .success) { [number = child.number as pid_t] in
      // No process waits for this child; outside of this process, the wait of exit tests could reap
      // it.
      let ended = try await HoldingChild("both", "/dev/full")
      try SystemError.check(kill(ended.number, SIGKILL), "kill")
      try Self.awaitEnd(of: ended.number)
      try PrivateMachine.become(user: 65534, group: 65534)
      var scanner = try Self.scanner()
      #expect(try scanner.scan(at: number)?.unseen == .refused)
      #expect(try scanner.scan(at: getppid())?.unseen == .refused)
      // A zombie holds nothing, and neither does a kernel thread.
      #expect(try scanner.scan(at: ended.number) == nil)
      let second = try? BoundedFile.read("/proc/2/stat", limit: 4096)
      // A PID namespace has no kernel threads.
      if second.flatMap({ ProcessStat(parsing: $0.bytes) })?.name == "kthreadd" {
        #expect(try scanner.scan(at: 2) == nil)
      }
    }
  }

  /// A covered process looks like one that has ended.
  @Test(.requiresPrivateMounts) func `are not seen where something is mounted over them`()
    async throws
  {
    let child = try await HoldingChild("both", "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    await #expect(processExitsWith: .success) { [number = child.number as pid_t] in
      try PrivateMachine.separateMounts()
      try PrivateMachine.mountTemporary(at: "/proc/\(number)")
      var scanner = try Self.scanner()
      #expect(try scanner.scan(at: number)?.unseen == .failed)
      // No process has this ID.
      #expect(try scanner.scan(at: 4_194_304) == nil)
    }
  }

  @Test func `are seen by the descriptors of one thread`() async throws {
    let child = try await HoldingChild("thread", "/dev/full")
    #expect(try await child.holder(of: "/dev/full").hold == DeviceHold(descriptors: 1))
  }

  @Test(.requiresRoot) func `are seen whatever the node was called`() async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let node = "\(directory.path)/camera"
    try PrivateMachine.makeDevice(node, major: 1, minor: 5, mode: 0o666)
    for way in ["both", "map"] {
      let child = try await HoldingChild(way, node)
      // By the usual node, and by the one that the child opened.
      var holder = try await child.holder(of: "/dev/zero")
      #expect(holder.hold.isThroughOtherNode == (way == "both"))
      try SystemError.check(unsafe unlink(node), "unlink")
      #expect(try await child.holder(of: "/dev/zero") == holder)
      try PrivateMachine.makeDevice(node, major: 1, minor: 5, mode: 0o666)
      // The node has been replaced by now.
      #expect(try await child.holder(of: node) == holder)
      child.end()
      let again = try await HoldingChild(way, node)
      holder = try await again.holder(of: node)
      #expect(!holder.hold.isThroughOtherNode)
    }
  }

  /// `check` also reports that there is nothing to open.
  @Test(.requiresRoot) func `of a number without a driver are not looked for`() throws {
    let directory = try TemporaryDirectory()
    let path = "\(directory.path)/node"
    guard unsafe mknod(path, S_IFCHR | 0o600, 510 << 8) == 0 else {
      try Test.cancel("no device nodes can be made here")
    }
    let error = #expect(throws: DeviceError.self) {
      _ = try LinuxMachine().use(of: [.path(path)])
    }
    #expect(error?.code == .notADevice)
    #expect(error?.errno == .noSuchAddress)
    #expect(error?.path == path)
  }

  @Test(.requiresPrivateMounts) func `are seen in another namespace`() async throws {
    let child = try await HoldingChild("namespace", "/dev/full")
    #expect(try await child.holder(of: "/dev/full").hold == DeviceHold())
  }

  @Test(.requiresRoot) func `are seen as another user`() async throws {
    let child = try await HoldingChild("user", "/dev/full")
    let holder = try await child.holder(of: "/dev/full")
    #expect(holder.process.user == 65534)
    #expect(holder.process.userName != nil)
  }

  @Test(.requiresRoot) func `of another user are counted, and the device is not called free`()
    async throws
  {
    let child = try await HoldingChild("both", "/dev/full")
    _ = try await child.holder(of: "/dev/full")
    await #expect(processExitsWith: .success) {
      try PrivateMachine.become(user: 65534, group: 65534)
      let facts = try LinuxMachine().use(of: [.path("/dev/full")])
      let use = try #require(facts.devices.first)
      #expect(use.holders.isEmpty)
      #expect(facts.unseen.count > 0)
      #expect(facts.unseen.reasons.contains(.notTraceable))
      #expect(facts.state(of: use) == .unknown)
    }
  }

  @Test func `are not missed for want of descriptors`() async throws {
    await #expect(processExitsWith: .success) {
      // Loads everything that is loaded on first use.
      _ = try LinuxMachine().use(of: [.path("/dev/full")])
      // An inherited descriptor may have any number, and the limit applies to numbers.
      let names = try #require(try Directory.names(in: "/proc/self/fd"))
      let last = try #require(names.compactMap { rlim_t($0) }.max())
      for spare in 0..<16 {
        var open: [Int32] = []
        var limit = rlimit(rlim_cur: last + 32, rlim_max: last + 32)
        try SystemError.check(unsafe setrlimit(__rlimit_resource_t(7), &limit), "setrlimit")
        while true {
          let file = unsafe Glibc.open("/", O_RDONLY | O_CLOEXEC)
          if file < 0 { break }
          open.append(file)
        }
        try #require(open.count > spare)
        for file in open.suffix(spare) { close(file) }
        do throws(DeviceError) {
          let facts = try LinuxMachine().use(of: [.path("/dev/full")])
          #expect(!facts.unseen.reasons.contains(.failed), "\(spare)")
          #expect(spare > 4)
        } catch {
          #expect(error.code == .exhausted, "\(spare): \(error)")
          #expect(spare < 12, "\(spare): \(error)")
        }
        for file in open.dropLast(spare) { close(file) }
      }
    }
  }

  // MARK: Peers

  private static func has(_ program: String) -> Bool {
    unsafe access("/usr/bin/\(program)", X_OK) == 0
  }

  /// Returns the numbers that a program prints.
  private func numbers(_ command: String) throws -> Set<Int32> {
    guard let pipe = unsafe popen("\(command) 2>/dev/null </dev/null", "re") else {
      throw SystemError(call: "popen", errno: errno)
    }
    defer { unsafe pclose(pipe) }
    var bytes: [UInt8] = []
    while case let byte = unsafe fgetc(pipe), byte >= 0 { bytes.append(UInt8(byte)) }
    return Set(
      bytes.split { $0 < 48 || $0 > 57 }.compactMap { Int32(String(decoding: $0, as: UTF8.self)) })
  }

  @Test(
    .requiresRoot, .enabled(if: has("fuser") && has("lsof"), "fuser or lsof is not installed"),
    arguments: ["fuser", "lsof -t"])
  func `are those that other programs find`(peer: String) async throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let node = "\(directory.path)/camera"
    try PrivateMachine.makeDevice(node, major: 1, minor: 5, mode: 0o666)
    let ways = ["read", "both", "map", "namespace", "user"]
    var children: [HoldingChild] = []
    var expected: Set<Int32> = []
    for way in ways {
      let child = try await HoldingChild(way, node)
      children.append(child)
      expected.insert(try await child.holder(of: node).process.id)
    }
    #expect(try numbers("\(peer) \(node)") == expected)
    let facts = try LinuxMachine().use(of: [.path(node)])
    #expect(expected.isSubset(of: facts.devices.flatMap(\.holders).map(\.process.id)))
    for child in children { child.end() }
  }
}
