import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite(.requiresRoot, .timeLimit(.minutes(5)))
struct `A child that asks as often as it is told to` {
  private static let nobody = CheckerCredentials(
    user: 65534, group: 65534, groups: [29, 44], capabilities: [])

  private static func status(_ process: pid_t) -> stat? {
    var status = stat()
    return unsafe stat("/proc/\(process)", &status) == 0 ? status : nil
  }

  @Test func `answers as one that is started for the question`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    let children = KernelCheckChildren()
    let modes: [Permissions] = [.read, .write, [.read, .write], .search, []]
    for round in 0..<200 {
      let file = try directory.file("folder\(round % 3)/file\(round % 7)")
      try directory.setMode(Int.random(in: 0...0o777), of: file)
      let folder = "\(directory.path)/folder\(round % 3)"
      try directory.setMode([0o755, 0o711, 0o700][Int.random(in: 0..<3)], of: folder)
      let paths = [
        file, "\(folder)/missing", "/dev/null\0", String(repeating: "a", count: 5000),
      ]
      let questions = paths.prefix(round % 5).map { KernelQuestion($0, modes) }
      let expected = try Self.nobody.ask(questions)
      #expect(try children.ask(questions, as: Self.nobody) == expected)
    }
  }

  @Test func `answers more than fits into a message, in the same order`() throws {
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.setMode(0o755, of: directory.path)
    let (open, closed) = (try directory.file("open"), try directory.file("closed"))
    try directory.setMode(0o644, of: open)
    try directory.setMode(0o600, of: closed)
    let answers = [open: Errno.success, closed: .permissionDenied, "/missing": .noSuchFile]
    let child = try KernelCheckChild(Self.nobody)
    for longest in [0, 100, 1900] {
      let questions = (0..<300).map { _ in
        let path = answers.keys.randomElement() ?? open
        let detour = String(repeating: "/.", count: Int.random(in: 0...longest))
        let count = Int.random(in: 0...KernelCheckChild.mostModes)
        return (path, detour + path, [Permissions](repeating: .read, count: count))
      }
      let expected = questions.flatMap { path, _, modes in modes.map { _ in answers[path] } }
      #expect(try child.ask(questions.map { KernelQuestion($0.1, $0.2) }) == expected)
    }
    let long = KernelQuestion(String(repeating: "a", count: 20_000), [.read])
    #expect(try child.ask([long]) == [.nameTooLong])
    let many = [Permissions](repeating: .read, count: KernelCheckChild.mostModes * 50 + 1)
    #expect(try child.ask([KernelQuestion(open, many)]) == many.map { _ in .success })
    #expect(try child.ask([KernelQuestion(open, [.read])]) == [.success])
  }

  @Test func `holds nothing of its caller, is not to be traced, and ends with its owner`() throws {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/dev/null"))
    var child: KernelCheckChild? = try KernelCheckChild(Self.nobody)
    let process = try #require(child?.process)
    #expect(try child?.ask([KernelQuestion("/dev/null", [.read])]) == [.success])
    let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd")
    #expect(descriptors == ["0"])
    // If a user may trace a process, the kernel makes that user own its files in /proc.
    let files = try FileManager.default.attributesOfItem(atPath: "/proc/\(process)/environ")
    #expect(files[.ownerAccountID] as? NSNumber == 0)
    child = nil
    #expect(Self.status(process) == nil)
    try file.close()
  }

  @Test func `is replaced when its user ends it`() throws {
    let children = KernelCheckChildren()
    let question = [KernelQuestion("/dev/null", [.read])]
    #expect(try children.ask(question, as: Self.nobody) == [.success])
    let process = try #require(children.processes.first)
    #expect(kill(process, SIGKILL) == 0)
    #expect(try children.ask(question, as: Self.nobody) == [.success])
    #expect(try children.ask(question, as: Self.nobody) == [.success])
    #expect(children.processes.count == 1 && children.processes.first != process)
    #expect(Self.status(process) == nil)
  }

  @Test func `does not hold up its caller when its user stops it`() throws {
    let children = KernelCheckChildren()
    let question = [KernelQuestion("/dev/null", [.read])]
    #expect(try children.ask(question, as: Self.nobody) == [.success])
    let process = try #require(children.processes.first)
    #expect(kill(process, SIGSTOP) == 0)
    #expect(try children.ask(question, as: Self.nobody) == [.success])
    #expect(Self.status(process) == nil)
  }

  @Test func `that its user stops has not answered in time, and ends all the same`() throws {
    var child: KernelCheckChild? = try KernelCheckChild(Self.nobody, patience: 100)
    let process = try #require(child?.process)
    #expect(kill(process, SIGSTOP) == 0)
    #expect(throws: Errno.timedOut) {
      try child?.ask([KernelQuestion("/dev/null", [.read])])
    }
    child = nil
    #expect(Self.status(process) == nil)
  }

  @Test func `is replaced once what confines its caller has changed, and after a minute`()
    async throws
  {
    let same = try await Self.ages {}
    #expect(same == [false, false, false, false, true])
    // No mount is changed, because that would fail if the root directory is not a mount point.
    let moved = try await Self.ages { try PrivateMachine.separateNamespace() }
    #expect(moved == [false, true, true, true, true])
  }

  /// Returns whether a child is too old 9, 11, 19, 22 and 61 seconds after a change to its caller.
  private static func ages(
    _ change: @escaping @Sendable () throws -> Void
  ) async throws -> [Bool] {
    try await withCheckedThrowingContinuation { continuation in
      // The change affects only this thread and ends with it.
      Thread.detachNewThread {
        continuation.resume(
          with: Result {
            let child = try KernelCheckChild(nobody)
            try change()
            let now = ContinuousClock.now
            return [9, 11, 19, 22, 61].map { child.isTooOld(at: now.advanced(by: .seconds($0))) }
          })
      }
    }
  }

  @Test func `is not one of many`() throws {
    let children = KernelCheckChildren()
    let question = [KernelQuestion("/dev/null", [.read])]
    for user in 70_000..<70_020 as Range<UInt32> {
      let identity = CheckerCredentials(user: user, group: user, groups: [], capabilities: [])
      #expect(try children.ask(question, as: identity) == [.success])
    }
    #expect(children.processes.count == 8)
    let processes = children.processes
    children.forget()
    #expect(processes.allSatisfy { Self.status($0) == nil })
  }

  @Test func `answers two threads at once`() async throws {
    let children = KernelCheckChildren()
    let directory = try TemporaryDirectory(in: "/tmp")
    try directory.setMode(0o755, of: directory.path)
    let (open, closed) = (try directory.file("open"), try directory.file("closed"))
    try directory.setMode(0o644, of: open)
    try directory.setMode(0o600, of: closed)
    await withTaskGroup(of: Int.self) { group in
      for (path, expected) in [(open, Errno.success), (closed, .permissionDenied)] {
        group.addTask {
          (0..<2000).count { _ in
            (try? children.ask([KernelQuestion(path, [.read])], as: Self.nobody)) != [expected]
          }
        }
      }
      for await wrong in group { #expect(wrong == 0) }
    }
  }
}
