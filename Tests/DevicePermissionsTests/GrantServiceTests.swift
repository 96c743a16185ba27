import AccessModel
import Foundation
import Glibc
import LinuxTestSupport
import Synchronization
import Testing

@testable import DevicePermissions
@testable import LinuxDevices

/// Uses real files and a real kernel; the album is a folder on a tmpfs.
///
/// `GrantContractTests` covers the behavior that the in-memory service shares.
@Suite(.requiresRoot, .timeLimit(.minutes(5)))
struct `The service that grants` {
  private let directory: TemporaryFolder
  private let service: GrantService
  private let file: String

  init() throws {
    directory = try TemporaryFolder()
    service = directory.grants
    file = try directory.picture()
  }

  private func request(_ path: String, to user: String = "nobody") -> GrantRequest {
    GrantRequest(.path(path), to: user, for: .read)
  }

  @Test func `tells of a grant that nothing has ended yet`() async throws {
    var short = request(file)
    short.lifetime = .seconds(1)
    let first = try await service.grant(short)
    #expect(await eventually { GrantCaller.uptime >= first.grant.deadline ?? 0 })
    #expect(try await service.grants().map(\.isOver) == [true])
  }

  /// Returns the service's operations, with another program that sets the list before each write.
  private func work(
    while change: @escaping @Sendable () -> AccessList
  ) throws -> GrantOperations {
    var work = try #require(service.work as? GrantOperations)
    let path = file
    work.whileListMayChange = {
      try? PinnedNode(path: path).set(change(), calledBy: path)
    }
    return work
  }

  @Test func `brings no entry back that was taken away while it gave another`() throws {
    let node = try PinnedNode(path: file)
    let before = try node.list(calledBy: file)
    try node.set(before.granting(.read, toUser: 4242), calledBy: file)
    let work = try work { before }
    let report = try work.grant(request(file))
    #expect(try TemporaryFolder.list(file) == before.granting(.read, toUser: 65534))
    _ = try work.revoke(.id(report.grant.id), isDry: false)
    #expect(try TemporaryFolder.list(file) == before)
  }

  @Test func `gives up on a list that changes again and again, and records nothing`() throws {
    let before = try TemporaryFolder.list(file)
    let changes = AtomicCount()
    let work = try work {
      changes.add()
      return before.granting(changes.value % 2 == 0 ? .read : .write, toUser: 4242)
    }
    let error = #expect(throws: GrantError.self) { try work.grant(request(file)) }
    #expect(error?.code == .changed && changes.value == GrantOperations.mostAttempts)
    #expect(try TemporaryFolder.list(file) == before.granting(.write, toUser: 4242))
    #expect(try work.grants() == [])
  }

  @Test func `loses nothing to two that grant and revoke at once`() async throws {
    let before = try TemporaryFolder.list(file)
    let (service, path) = (service, file)
    let failures = await withTaskGroup(of: [GrantError].self) { group in
      for user in ["nobody", "daemon"] {
        group.addTask {
          var failures: [GrantError] = []
          for round in 0..<20 {
            do throws(GrantError) {
              let request = GrantRequest(.path(path), to: user, for: .read)
              let report = try await service.grant(request)
              if round % 2 == 0 {
                _ = try await service.revoke(.id(report.grant.id))
              } else {
                _ = try await service.revoke(.path(path, user: user))
              }
            } catch {
              failures.append(error)
            }
          }
          return failures
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    // A list that changes between two reads is reported; no other error may occur.
    #expect(failures.filter { $0.code != .changed }.isEmpty)
    #expect(try TemporaryFolder.list(path) == before)
    #expect(try await service.grants() == [])
  }

  /// Replaces the picture and records the new inode number, as if it had been reused.
  ///
  /// ext4 reuses the number of a removed file immediately.
  private func replaceFile(mode: UInt16) throws {
    let old = try PinnedNode(path: file).inode.number
    try FileManager.default.removeItem(atPath: file)
    try directory.file("Pictures/picture.jpg", mode: mode)
    let new = try PinnedNode(path: file).inode.number
    let record = URL(fileURLWithPath: "\(directory.path)/record/volatile/ledger.json")
    let text = String(decoding: try Data(contentsOf: record), as: UTF8.self)
    let number = #""number":\#(old)"#
    #expect(text.contains(number) && old != new)
    try Data(text.replacing(number, with: #""number":\#(new)"#).utf8).write(to: record)
  }

  @Test(.requiresFileHandles)
  func `gives a new file to nobody who had the old one of its number`() async throws {
    _ = try await service.grant(request(file))
    try replaceFile(mode: 0o600)
    #expect(try await service.grants().map(\.isGone) == [true])
    let report = try await service.grant(request(file, to: "daemon"))
    #expect(try TemporaryFolder.list(file).text == "u::rw-,u:1:r--,g::---,m::r--,o::---")
    #expect(try await service.grants().map(\.grant) == [report.grant])
    _ = try await service.revoke(.id(report.grant.id))
    #expect(try TemporaryFolder.list(file).text == "u::rw-,g::---,o::---")
  }

  @Test(.requiresFileHandles)
  func `takes nothing from a new file that has the number of an old one`() async throws {
    let report = try await service.grant(request(file))
    try replaceFile(mode: 0o600)
    let fresh = try TemporaryFolder.list(file).granting(.read, toUser: 65534)
    try PinnedNode(path: file).set(fresh, calledBy: file)
    #expect(try await service.revoke(.id(report.grant.id)).map(\.isGone) == [true])
    #expect(try TemporaryFolder.list(file) == fresh)
  }

  /// Kills a process that grants or revokes, before or after a step with a lasting effect.
  @Test(arguments: [false, true], 1...6)
  func `leaves no list that is neither before nor after, whenever it is killed`(
    isEnd: Bool, step: Int
  ) async throws {
    // The mask limits the entry that the grant widens.
    let node = try PinnedNode(path: file)
    let before = try #require(
      AccessList([
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 65534, [.read, .write]),
        ACLEntry(.group, nil, .read), ACLEntry(.mask, nil, .read), ACLEntry(.other, nil, []),
      ]))
    try node.set(before, calledBy: file)
    let both: Permissions = [.read, .write]
    let after = before.granting(both, toUser: 65534)
    var id = ""
    if isEnd {
      let request = GrantRequest(.path(file), to: "nobody", for: both)
      id = try await service.grant(request).grant.id
    }
    let (home, file) = (directory.path, file)
    await #expect(processExitsWith: .signal(SIGKILL)) {
      [home = home as String, file = file as String, id = id as String, step = step as Int] in
      let service = GrantService(
        machine: LinuxMachine(environment: { $0 == "HOME" ? home : nil }), record: "\(home)/record")
      guard var work = service.work as? GrantOperations else { exit(1) }
      let steps = AtomicCount()
      work.beforeEffect = {
        steps.add()
        if steps.value == step { kill(getpid(), SIGKILL) }
      }
      if id.isEmpty {
        _ = try work.grant(GrantRequest(.path(file), to: "nobody", for: [.read, .write]))
      } else {
        _ = try work.revoke(.id(id), isDry: false)
      }
    }
    let left = try node.list(calledBy: file)
    #expect(left == before || left == after)
    for standing in try await service.grants() {
      _ = try await service.revoke(.id(standing.grant.id))
    }
    #expect(try node.list(calledBy: file) == before)
    #expect(try await service.grants() == [])
  }

  @Test func `tells what the user still has, and from what`() async throws {
    let report = try await service.grant(request(file))
    #expect(try await service.revoke(.id(report.grant.id)).map(\.remaining) == [nil])
    // Another program sets an entry with more permissions.
    let other = try await service.grant(request(file))
    let node = try PinnedNode(path: file)
    let wider = try node.list(calledBy: file).granting([.read, .write], toUser: 65534)
    try node.set(wider, calledBy: file)
    let ended = try await service.revoke(.id(other.grant.id))
    #expect(ended.map(\.remaining) == [RemainingAccess([.read, .write], by: [.entry])])
    #expect(try node.list(calledBy: file) == wider)
  }

  @Test func `ends what it understands, and keeps what it does not`() async throws {
    let second = try directory.file("Pictures/second.jpg", mode: 0o640)
    let before = try TemporaryFolder.list(file)
    let record = URL(fileURLWithPath: "\(directory.path)/record/volatile/ledger.json")
    for (old, new) in [
      (#""objects":["#, #""objects":[{"later": [1, 2]},"#), (#""version":1"#, #""version":2"#),
      (#""start":"#, #""start":-9223372036854775808,"begin":"#),
    ] {
      for path in [file, second] { _ = try await service.grant(request(path)) }
      let text = String(decoding: try Data(contentsOf: record), as: UTF8.self)
      #expect(text.contains(old))
      try Data(text.replacing(old, with: new).utf8).write(to: record)
      _ = try? await service.revoke(.kind("album", user: nil))
      #expect(try TemporaryFolder.list(file) == before, "\(new)")
      #expect(try TemporaryFolder.list(second) == before, "\(new)")
      if new.contains("later") {
        let left = String(decoding: try Data(contentsOf: record), as: UTF8.self)
        #expect(left.contains(#"{"later": [1, 2]}"#))
        await #expect(throws: GrantError.self) { _ = try await service.grant(request(file)) }
      }
      try? FileManager.default.removeItem(at: record)
    }
  }

  @Test func `notices that another program has ended a grant`() async throws {
    let report = try await service.grant(request(file))
    let service = service
    async let end = service.waitForEnd(of: report.grant.id)
    _ = try await service.revoke(.id(report.grant.id))
    #expect(await end)
    #expect(await service.waitForEnd(of: report.grant.id))
  }

  @Test func `does nothing with a record that it cannot understand`() async throws {
    _ = try await service.grant(request(file))
    let record = "\(directory.path)/record/volatile/ledger.json"
    try Data("{".utf8).write(to: URL(fileURLWithPath: record))
    let before = try TemporaryFolder.list(file)
    let error = await #expect(throws: GrantError.self) {
      _ = try await service.grant(request(file, to: "daemon"))
    }
    #expect(error?.code == .failed)
    #expect(try TemporaryFolder.list(file) == before)
  }
}
