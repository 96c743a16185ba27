import AccessModel
import Foundation
import LinuxTestSupport
import Testing

@testable import LinuxDevices

@Suite struct `A pinned node` {
  private static func code(_ body: () throws(GrantError) -> Void) -> GrantError.Code? {
    do throws(GrantError) {
      try body()
      return nil
    } catch {
      return error.code
    }
  }

  private static func inode(
    of handle: String, _ inode: GrantedObject.Inode, _ path: String
  ) -> GrantedObject.Inode? {
    guard let node = PinnedNode(handle: handle, of: inode, calledBy: path) else { return nil }
    return node.inode
  }

  @Test func `is never reached through a symbolic link`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("real/file")
    try directory.link("link", to: file)
    try directory.link("folder", to: "\(directory.path)/real")
    for path in ["link", "folder/file", "real/../real/file"] {
      let path = "\(directory.path)/\(path)"
      let code = Self.code { () throws(GrantError) in _ = try PinnedNode(path: path) }
      #expect(code == .wrongObject, "\(path)")
    }
    let missing = "\(directory.path)/missing"
    let code = Self.code { () throws(GrantError) in _ = try PinnedNode(path: missing) }
    #expect(code == .absent)
    let isThere = try PinnedNode(path: "\(directory.path)//real/./file").isStill(at: file)
    #expect(isThere)
  }

  @Test func `keeps its object when the path leads elsewhere`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file", mode: 0o640)
    let node = try PinnedNode(path: file)
    try FileManager.default.moveItem(atPath: file, toPath: "\(directory.path)/moved")
    try directory.file("file", mode: 0o640)
    let isThere = node.isStill(at: file)
    #expect(!isThere)
    let list = try node.list(calledBy: file)
    try node.set(list.granting(.read, toUser: 65534), calledBy: file)
    let moved = try PinnedNode(path: "\(directory.path)/moved").list(calledBy: "moved")
    let other = try PinnedNode(path: file).list(calledBy: file)
    #expect(moved.entry(ofUser: 65534) != nil)
    #expect(other == list)
  }

  @Test func `is gone once it was removed, even when a new one has its number`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file")
    let node = try PinnedNode(path: file)
    try FileManager.default.removeItem(atPath: file)
    try directory.file("file")
    let isThere = node.isStill(at: file)
    #expect(!isThere)
  }

  @Test(.requiresFileHandles)
  func `is found by its handle wherever it was moved, until it is removed`()
    throws
  {
    let directory = try TemporaryDirectory()
    let file = try directory.file("there/file")
    let node = try PinnedNode(path: file)
    let named = node.handle
    let handle = try #require(named)
    // Even the directory in its path has been replaced.
    let moved = "\(directory.path)/moved"
    try FileManager.default.moveItem(atPath: "\(directory.path)/there", toPath: moved)
    let other = try directory.file("there/file")
    let found = Self.inode(of: handle, node.inode, file)
    #expect(found == node.inode)
    let successor = try PinnedNode(path: other).inode
    #expect(found != successor)
    #expect(Self.inode(of: handle, successor, file) == nil)
    try FileManager.default.removeItem(atPath: "\(moved)/file")
    #expect(Self.inode(of: handle, found ?? successor, file) == nil)
  }

  @Test(arguments: [
    "", ":", "1", "1:", "x:00", "1:0", "1:0g", "1:é0", "99999999999:00", "1:00:00",
    "1:" + String(repeating: "0", count: 258),
  ])
  func `is not found by what is no handle`(text: String) throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file")
    let inode = try PinnedNode(path: file).inode
    #expect(Self.inode(of: text, inode, file) == nil)
  }

  @Test func `can be made of a descriptor that somebody hands over`() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("file", mode: 0o600)
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    let node = try PinnedNode(duplicating: handle.fileDescriptor, calledBy: file)
    let list = try node.list(calledBy: file)
    try node.set(list.granting(.read, toUser: 65534), calledBy: file)
    try node.set(list, calledBy: file)
    let now = try PinnedNode(path: file).list(calledBy: file)
    #expect(now == list)
  }

  @Test(.requiresPrivateMounts)
  func `changes nothing where what is at /proc is not the real one`() async {
    await #expect(processExitsWith: .success) {
      try PrivateMachine.separateMounts()
      let directory = try TemporaryDirectory()
      let file = try directory.file("file", mode: 0o600)
      let node = try PinnedNode(path: file)
      let list = try node.list(calledBy: file)
      try PrivateMachine.mountTemporary(at: "/proc")
      do throws(GrantError) {
        try node.set(list.granting(.read, toUser: 65534), calledBy: file)
        exit(1)
      } catch {
        exit(error.code == .failed ? 0 : 2)
      }
    }
  }

  /// Uses the kernel's own answers to child processes that have the credentials of each user.
  @Test(.requiresRoot)
  func `has entries that change nothing for others, by the kernel's own answers`() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.file("file")
    let users: [UInt32] = [1000, 1001, 1002, 1003]
    var numbers = SeededNumbers(seed: 14)
    let children = try users.map { user in
      try KernelCheckChild(
        CheckerCredentials(
          user: user, group: 4000, groups: [5, 6].filter { _ in Bool.random(using: &numbers) },
          capabilities: []))
    }
    let modes: [Permissions] = [.read, .write, [.read, .write], .execute]
    func answers() throws -> [[Errno]] {
      try children.map { try $0.ask([KernelQuestion(path, modes)]) }
    }
    let rounds = ProcessInfo.processInfo.environment["DEVACCESS_GRANT_ROUNDS"].flatMap { Int($0) }
    for round in 0..<(rounds ?? 300) {
      #expect(unsafe chown(path, numbers.next() % 4 == 0 ? 1000 : 0, 5) == 0)
      let node = try PinnedNode(path: path)
      let start = Self.list(&numbers)
      try node.set(start, calledBy: path)
      let before = try answers()
      let user = Int.random(in: users.indices, using: &numbers)
      let wanted: Permissions = [[.read], [.write], [.read, .write]].randomElement(using: &numbers)!
      let kept = zip(modes, before[user]).reduce(into: Permissions()) { kept, answer in
        if answer.1 == .success { kept.formUnion(answer.0) }
      }
      let granted = start.granting(wanted.union(kept), toUser: users[user])
      try node.set(granted, calledBy: path)
      let during = try answers()
      for index in users.indices where index != user {
        #expect(during[index] == before[index], "round \(round)")
      }
      if node.owner != users[user] {
        let index = try #require(modes.firstIndex(of: wanted))
        #expect(during[user][index] == .success, "round \(round)")
        let more = zip(modes, during[user]).filter { mode, answer in
          answer == .success && !wanted.union(kept).isSuperset(of: mode)
        }
        #expect(more.isEmpty, "round \(round)")
      }
      try node.set(start, calledBy: path)
      #expect(try answers() == before, "round \(round)")
    }
  }

  private static func list(_ numbers: inout SeededNumbers) -> AccessList {
    func bits() -> Permissions { Permissions(rawValue: UInt8(numbers.next() % 8)) }
    var entries = [ACLEntry(.user, nil, bits())]
    let isExtended = numbers.next() % 4 != 0
    if isExtended {
      for user in [UInt32(1000), 1001, 1002] where numbers.next() % 2 == 0 {
        entries.append(ACLEntry(.user, user, bits()))
      }
    }
    entries.append(ACLEntry(.group, nil, bits()))
    if isExtended {
      for group in [UInt32(5), 6] where numbers.next() % 2 == 0 {
        entries.append(ACLEntry(.group, group, bits()))
      }
      entries.append(ACLEntry(.mask, nil, bits()))
    }
    entries.append(ACLEntry(.other, nil, bits()))
    return AccessList(entries)!
  }

  @Test func `is found by its number where it was moved to, below a folder alone`() throws {
    let directory = try TemporaryDirectory()
    let old = try directory.file("album/a/picture", "x", mode: 0o600)
    let node = try PinnedNode(path: old)
    let list = try node.list(calledBy: old)
    let object = GrantedObject(
      path: old, inode: node.inode, handle: node.handle, conditions: nil, kind: nil, current: list)
    try directory.file("album/b/c/other", "y", mode: 0o600)
    let new = "\(directory.path)/album/b/c/moved"
    try FileManager.default.moveItem(atPath: old, toPath: new)
    let album = "\(directory.path)/album"
    func found(below folder: String) -> String? {
      MovedFiles().find(object) { folder }?.path
    }
    #expect(found(below: album) == new)
    #expect(found(below: "\(album)/a") == nil)
    try FileManager.default.moveItem(atPath: new, toPath: "\(directory.path)/outside")
    #expect(found(below: album) == nil)
  }
}
