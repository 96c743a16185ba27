import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `The record of grants` {
  private static func read(_ folder: GrantFolder) throws(GrantError) -> [UInt8]? {
    try folder.locked(makesFolder: true) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in try locked.read()
    }
  }

  private static func write(_ bytes: [UInt8], to folder: GrantFolder) throws(GrantError) {
    _ = try folder.locked(makesFolder: true) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in try locked.write(bytes)
    }
  }

  @Test func `is written whole, and for the caller alone`() throws {
    let directory = try TemporaryDirectory()
    let folder = GrantFolder(path: "\(directory.path)/devaccess/grants")
    #expect(try Self.read(folder) == [])
    try Self.write(Array("one".utf8), to: folder)
    try Self.write(Array("three".utf8), to: folder)
    #expect(try Self.read(folder) == Array("three".utf8))
    let files = FileManager.default
    #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == ["ledger.json", "lock"])
    for (path, mode) in [(folder.path, 0o700), ("\(folder.path)/ledger.json", 0o600)] {
      let found = try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(found == mode)
    }
    try Self.write([], to: folder)
    #expect(try files.contentsOfDirectory(atPath: folder.path) == ["lock"])
  }

  @Test func `is not made for looking`() throws {
    let directory = try TemporaryDirectory()
    let folder = GrantFolder(path: "\(directory.path)/devaccess/grants")
    let found: Int? = try folder.locked(makesFolder: false) {
      (locked: borrowing GrantFolder.Locked) throws(GrantError) in 1
    }
    #expect(found == nil)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `is refused where somebody else could have put it`() throws {
    let directory = try TemporaryDirectory()
    let folder = GrantFolder(path: "\(directory.path)/grants")
    try Self.write(Array("mine".utf8), to: folder)
    try directory.setMode(0o770, of: folder.path)
    #expect(throws: GrantError.self) { try Self.read(folder) }
    try directory.setMode(0o700, of: folder.path)
    try directory.setMode(0o644, of: "\(folder.path)/ledger.json")
    #expect(throws: GrantError.self) { try Self.read(folder) }
    try FileManager.default.removeItem(atPath: "\(folder.path)/ledger.json")
    try directory.file("elsewhere", "forged", mode: 0o600)
    try directory.link("grants/ledger.json", to: "\(directory.path)/elsewhere")
    #expect(throws: GrantError.self) { try Self.read(folder) }
    try directory.link("shortcut", to: folder.path)
    #expect(throws: GrantError.self) {
      try Self.read(GrantFolder(path: "\(directory.path)/shortcut"))
    }
  }

  @Test func `is found through links that nobody else can have put there`() throws {
    let directory = try TemporaryDirectory()
    try directory.file("real/x")
    try directory.link("home", to: "\(directory.path)/real")
    let folder = GrantFolder(path: "\(directory.path)/home/state/grants")
    try Self.write(Array("mine".utf8), to: folder)
    #expect(try Self.read(folder) == Array("mine".utf8))
    #expect(
      try Self.read(GrantFolder(path: "\(directory.path)/real/state/grants"))
        == Array("mine".utf8))
    try directory.setMode(0o777, of: directory.path)
    #expect(throws: GrantError.self) { try Self.read(folder) }
    try directory.setMode(0o1777, of: directory.path)
    #expect(try Self.read(folder) == Array("mine".utf8))
  }

  @Test func `loses nothing to two that write at once`() async throws {
    let directory = try TemporaryDirectory()
    let folder = GrantFolder(path: "\(directory.path)/grants")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<100 {
            _ = try? folder.locked(makesFolder: true) {
              (locked: borrowing GrantFolder.Locked) throws(GrantError) in
              try locked.write(try locked.read() + [1])
            }
          }
        }
      }
    }
    #expect(try Self.read(folder)?.count == 200)
  }

  @Test func `is bounded`() throws {
    let directory = try TemporaryDirectory()
    let folder = GrantFolder(path: "\(directory.path)/grants")
    let long = [UInt8](repeating: 32, count: GrantFolder.limit + 1)
    #expect(throws: GrantError.self) { try Self.write(long, to: folder) }
    #expect(try Self.read(folder) == [])
  }
}
