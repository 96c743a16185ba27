import AccessModel
import Glibc
import LinuxTestSupport
import Synchronization
import Testing
import UdevRules

@testable import LinuxDevices

/// A thread that changes a file until it is stopped.
private final class Writer: Sendable {
  let isStopped = Atomic(false)

  func rewrite(_ path: String) {
    var size: off_t = 0
    while !isStopped.load(ordering: .relaxed) {
      size = (size + 1) % 1_000
      guard unsafe truncate(path, 300_000 + size) == 0 else { return }
    }
  }
}

@Suite(.timeLimit(.minutes(2))) struct `Bad files of rules` {
  private static let folder = "etc/udev/rules.d"

  private static func machine() throws -> RuleMachine {
    let machine = try RuleMachine()
    try machine.directory.file("\(folder)/99-good.rules", #"KERNEL=="video0", MODE="0604""#)
    return machine
  }

  @Test func `of ten megabytes leave the others their effect`() throws {
    let machine = try Self.machine()
    let rule = Array("KERNEL==\"nosuch\", MODE=\"0600\"\n".utf8)
    try machine.directory.file(
      "\(Self.folder)/10-many.rules", Array(repeatElement(rule, count: 350_000).joined()))
    try machine.directory.file(
      "\(Self.folder)/11-long.rules", [UInt8](repeating: UInt8(ascii: "a"), count: 10 << 20))
    let rules = machine.rules()
    #expect(rules.report("add")?.node.mode == .value(0o604))
    let answer = RuleAnswer(rules, node: nil)
    let paths = answer.findings.compactMap(\.place?.path)
    #expect(paths.count { $0.hasSuffix("/11-long.rules") } == 1)
    #expect(!paths.contains { $0.hasSuffix("/10-many.rules") })
  }

  @Test func `beyond what is read are told, also where all are read together`() throws {
    let machine = try Self.machine()
    try machine.directory.file(
      "\(Self.folder)/98-large.rules", [UInt8](repeating: 10, count: RuleLimits.fileBytes + 1))
    let answer = RuleAnswer(machine.rules(), node: nil)
    let reported = answer.findings.filter { $0.place?.path.hasSuffix("/98-large.rules") == true }
    #expect(reported.map(\.code) == [.unreadable])
  }

  @Test func `that are links are never waited for`() throws {
    let machine = try Self.machine()
    let path = machine.directory.path
    let fifo = unsafe mkfifo("\(path)/fifo", 0o644)
    #expect(fifo == 0)
    try machine.directory.directory("folder")
    try machine.directory.link("\(Self.folder)/10-fifo.rules", to: "\(path)/fifo")
    try machine.directory.link("\(Self.folder)/11-folder.rules", to: "\(path)/folder")
    try machine.directory.link("\(Self.folder)/12-loop.rules", to: "12-loop.rules")
    try machine.directory.link("\(Self.folder)/13-zero.rules", to: "/dev/zero")
    let rules = machine.rules()
    #expect(rules.report("add")?.node.mode == .value(0o604))
    let states = Dictionary(
      uniqueKeysWithValues: rules.files.filter { $0.folder == "/etc/udev/rules.d" }
        .map { ($0.name, $0.state) })
    #expect(states["10-fifo.rules"] == .other)
    #expect(states["11-folder.rules"] == .other)
    #expect(states["12-loop.rules"] == .hidden)
    #expect(states["13-zero.rules"] == .empty)
    let answer = RuleAnswer(rules, node: nil)
    #expect(answer.findings.count { $0.code == .unreadable } == 3)
  }

  @Test func `of which there are too many to read are counted`() throws {
    let machine = try Self.machine()
    for number in 0..<RuleLimits.files {
      try machine.directory.file("usr/lib/udev/rules.d/50-\(number).rules", "#\n")
    }
    let rules = machine.rules()
    #expect(rules.files.count <= RuleLimits.files)
    #expect(rules.report("add")?.node.mode == .value(0o604))
    let reported = RuleAnswer(rules, node: nil).findings.filter { $0.code == .unreadable }
    #expect(reported.count == 1)
    #expect(reported.first?.summary.contains("of its \(RuleLimits.files) files were read") == true)
  }

  @Test func `that change while they are read are told`() throws {
    let directory = try TemporaryDirectory()
    let line = Array("KERNEL==\"nosuch\", MODE=\"0600\"\n".utf8)
    let name = "50-growing.rules"
    try directory.file(name, Array(repeatElement(line, count: 10_000).joined()))
    let path = "\(directory.path)/\(name)"
    let writer = Writer()
    defer { writer.isStopped.store(true, ordering: .relaxed) }
    try DedicatedThread.run { writer.rewrite(path) }
    var problem: String?
    // On a busy machine, it can take longer until a write coincides with a read.
    let end = ContinuousClock.now + .seconds(60)
    while problem == nil, .now < end {
      let file = RuleFolders.read(path, folder: "/etc/udev/rules.d", name: name)
      #expect(file.state == .rules)
      problem = file.problem
    }
    #expect(problem == "it changed while it was read")
  }
}
