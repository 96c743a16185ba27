import AccessModel
import DevicePermissions
import DevicePermissionsTesting
import Foundation
import LinuxDevices
import LinuxTestSupport
import MachineSamples
import Synchronization
import Testing

/// Changes of real files, reported by the kernel.
///
/// The interval is so long that polling cannot cause an answer.
@Suite(
  .enabled(if: geteuid() == 0, "it asks for another user, which takes root"),
  .timeLimit(.minutes(3)))
struct `Changes of real files` {
  private static let manager = FileManager.default

  /// A directory that is removed at the end of the test.
  private final class Folder {
    let path: String

    init() throws {
      path = "/tmp/\(TestName.unique)"
      try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
      try setMode(0o755, of: path)
    }

    deinit { try? manager.removeItem(atPath: path) }
  }

  private static func setMode(_ mode: Int, of path: String) throws {
    try manager.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private static func makeFile(_ path: String) throws {
    try Data().write(to: URL(fileURLWithPath: path))
    try setMode(0o644, of: path)
  }

  private func changes(_ path: String) -> AnswerChanges.Iterator {
    let question = Question(.path(path), wanted: .read, subject: .user("65534"))
    return DeviceService().changes(to: [question], every: .seconds(3600)).makeAsyncIterator()
  }

  @Test func `what changes while it is looked at is looked at again before it is told`()
    async throws
  {
    let folder = try Folder()
    let file = "\(folder.path)/file"
    let toggle: @Sendable () -> Void = {
      if unsafe unlink(file) != 0 { _ = Self.manager.createFile(atPath: file, contents: nil) }
    }
    let isArmed = Atomic(false)
    // A scan finds the path first and asks the kernel afterwards.
    let machine = LinuxMachine(kernelCheck: { path, mode in
      if isArmed.exchange(false, ordering: .relaxed) { toggle() }
      return LinuxMachine.askKernel(path, mode)
    })
    let service = DeviceService(machine: machine)
    var scans = service.scans(at: [Question(.path(file), wanted: .read)]).makeAsyncIterator()
    for round in 0..<200 {
      isArmed.store(round % 4 != 3, ordering: .relaxed)
      toggle()
      let facts = try #require(try await scans.next()?.facts[0])
      let isThere = facts.access.nodes.contains { $0.path == file }
      let errors = facts.kernelChecks.filter { $0.path == file }.map(\.errno)
      #expect(!errors.isEmpty && errors.allSatisfy { ($0 != .noSuchFile) == isThere })
    }
  }

  @Test func `modes of the file and of each directory above`() async throws {
    let folder = try Folder()
    let directory = "\(folder.path)/one/two"
    try Self.manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Self.setMode(0o755, of: "\(folder.path)/one")
    try Self.setMode(0o755, of: directory)
    let file = "\(directory)/file"
    try Self.makeFile(file)
    var changes = changes(file)
    let first = try #require(try await changes.next())
    #expect(first.explanation.answer == .allowed)
    #expect(first.gaps == [])

    try Self.setMode(0o600, of: file)
    let refused = try #require(try await changes.next())
    #expect(refused.explanation.answer == .refused)
    #expect(refused.explanation.decision.rule == .modeOther)
    #expect(refused.differences.first?.text == "the mode of \(file) went from 0644 to 0600")

    try Self.setMode(0o644, of: file)
    #expect(try await changes.next()?.explanation.answer == .allowed)

    for parent in ["\(folder.path)/one", directory, folder.path] {
      try Self.setMode(0o700, of: parent)
      let hidden = try #require(try await changes.next())
      #expect(hidden.explanation.answer == .refused)
      #expect(hidden.explanation.decision.at == parent)
      try Self.setMode(0o755, of: parent)
      #expect(try await changes.next()?.explanation.answer == .allowed)
    }
  }

  @Test func `of many files only the one that changed is looked at again`() async throws {
    let folder = try Folder()
    let questions = try (0..<100).map { number in
      try Self.makeFile("\(folder.path)/\(number)")
      return Question(.path("\(folder.path)/\(number)"), wanted: .read, subject: .user("65534"))
    }
    let machine = CountingMachine()
    var changes = DeviceService(machine: machine).changes(to: questions, every: .seconds(3600))
      .makeAsyncIterator()
    for number in questions.indices { #expect(try await changes.next()?.index == number) }
    // Other tests change sessions, mounts and accounts, which affect every question.
    var scans = Int.max
    for round in 0..<100 where scans > 4 {
      let before = machine.count
      try Self.setMode(round % 2 == 0 ? 0o600 : 0o644, of: "\(folder.path)/42")
      #expect(try await changes.next()?.index == 42)
      scans = machine.count - before
    }
    #expect(scans <= 4)
  }

  @Test func `a file that goes, comes and moves, and directories above it`() async throws {
    let folder = try Folder()
    let file = "\(folder.path)/one/two/file"
    var changes = changes(file)
    #expect(try await changes.next()?.explanation.answer == .absent)
    let directory = "\(folder.path)/one/two"
    try Self.manager.createDirectory(atPath: directory, withIntermediateDirectories: true)
    try Self.makeFile(file)
    #expect(try await next(&changes, answer: .allowed) != nil)

    try Self.manager.removeItem(atPath: file)
    let removed = try #require(try await next(&changes, answer: .absent))
    #expect(removed.differences.first?.code == .nodeRemoved)
    try Self.makeFile(file)
    #expect(try await next(&changes, answer: .allowed) != nil)

    let away = "\(folder.path)/away"
    try Self.manager.moveItem(atPath: "\(folder.path)/one", toPath: away)
    #expect(try await next(&changes, answer: .absent) != nil)
    try Self.manager.moveItem(atPath: away, toPath: "\(folder.path)/one")
    #expect(try await next(&changes, answer: .allowed) != nil)
    // The object that came back is watched like the one before it.
    try Self.setMode(0o600, of: file)
    #expect(try await next(&changes, answer: .refused) != nil)
  }

  @Test func `a link that leads elsewhere`() async throws {
    let folder = try Folder()
    let link = "\(folder.path)/link"
    for name in ["open", "closed"] { try Self.makeFile("\(folder.path)/\(name)") }
    try Self.setMode(0o600, of: "\(folder.path)/closed")
    try Self.manager.createSymbolicLink(atPath: link, withDestinationPath: "open")
    var changes = changes(link)
    #expect(try await changes.next()?.explanation.answer == .allowed)
    try Self.manager.removeItem(atPath: link)
    try Self.manager.createSymbolicLink(atPath: link, withDestinationPath: "closed")
    #expect(try await next(&changes, answer: .refused) != nil)
    try Self.setMode(0o644, of: "\(folder.path)/closed")
    #expect(try await next(&changes, answer: .allowed) != nil)
    try Self.manager.removeItem(atPath: "\(folder.path)/closed")
    #expect(try await next(&changes, answer: .absent) != nil)
    try Self.makeFile("\(folder.path)/closed")
    #expect(try await next(&changes, answer: .allowed) != nil)
  }

  @Test func `a file that takes the place of another`() async throws {
    let folder = try Folder()
    let file = "\(folder.path)/file"
    try Self.makeFile(file)
    var changes = changes(file)
    #expect(try await changes.next()?.explanation.answer == .allowed)
    func replace(mode: Int) throws {
      try Self.makeFile("\(folder.path)/new")
      try Self.setMode(mode, of: "\(folder.path)/new")
      #expect(unsafe rename("\(folder.path)/new", file) == 0)
    }
    for _ in 0..<5 {
      // The new file has the same mode, so no answer changes.
      try replace(mode: 0o644)
      try Self.setMode(0o600, of: file)
      #expect(try await next(&changes, answer: .refused) != nil)
      try Self.setMode(0o644, of: file)
      #expect(try await next(&changes, answer: .allowed) != nil)
      // The new file is created with its mode, so the difference is a replacement, not a mode
      // change.
      try replace(mode: 0o600)
      let replaced = try #require(await next(&changes, answer: .refused))
      #expect(replaced.differences.map(\.text) == ["something else is at \(file)"])
      #expect(replaced.differences.map(\.code) == [.nodeReplaced])
      try Self.setMode(0o644, of: file)
      let changed = try #require(await next(&changes, answer: .allowed))
      #expect(changed.differences.map(\.code) == [.mode])
    }
  }

  @Test func `the file that says where the album is`() async throws {
    let folder = try Folder()
    let home = folder.path
    let machine = LinuxMachine(environment: { $0 == "HOME" ? home : nil })
    for name in ["Pictures", "Photos"] {
      try Self.manager.createDirectory(
        atPath: "\(home)/\(name)", withIntermediateDirectories: false)
    }
    var changes = DeviceService(machine: machine)
      .changes(to: [Question(.kind(.album))], every: .seconds(3600)).makeAsyncIterator()
    #expect(try await changes.next()?.explanation.path == "\(home)/Pictures")
    let file = "\(home)/.config/user-dirs.dirs"
    try Self.manager.createDirectory(
      atPath: "\(home)/.config", withIntermediateDirectories: false)
    func write(_ name: String) throws {
      // Overwrites the file without replacing it, as some editors do.
      try Data("XDG_PICTURES_DIR=\"$HOME/\(name)\"\n".utf8)
        .write(to: URL(fileURLWithPath: file), options: [])
    }
    for name in ["Photos", "Pictures", "Photos"] {
      try write(name)
      #expect(try await changes.next()?.explanation.path == "\(home)/\(name)")
    }
    try Self.manager.removeItem(atPath: file)
    #expect(try await changes.next()?.explanation.path == "\(home)/Pictures")
  }

  @Test func `the end of a storm is what the file is`() async throws {
    let folder = try Folder()
    let file = "\(folder.path)/file"
    try Self.makeFile(file)
    var changes = changes(file)
    _ = try await changes.next()
    let writer = Task.detached {
      for round in 0..<20_000 { _ = unsafe chmod(file, round % 2 == 0 ? 0o600 : 0o644) }
      _ = unsafe unlink(file)
    }
    #expect(try await next(&changes, answer: .absent) != nil)
    await writer.value
  }

  /// Returns the next change to an answer and discards the changes before it.
  private func next(
    _ changes: inout AnswerChanges.Iterator, answer: Answer
  ) async throws -> AnswerChange? {
    while let change = try await changes.next() {
      if change.explanation.answer == answer { return change }
    }
    return nil
  }
}
