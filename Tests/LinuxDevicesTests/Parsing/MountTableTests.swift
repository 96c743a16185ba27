import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct MountTableTests {
  static let plain = """
    22 27 0:21 / /proc rw,nosuid,nodev,noexec,relatime shared:5 - proc proc rw
    24 27 0:6 / /dev rw,nosuid - devtmpfs udev rw,size=4k,mode=755
    27 1 254:0 / / rw,relatime - ext4 /dev/vda ro,discard
    30 24 0:40 /sub /dev/a\\040b\\011c ro,nosymfollow,idmapped master:1 propagate_from:2 - tmpfs none rw
    31 24 0:41 / /dev/x ro - fuse.sshfs  rw
    """

  func table(_ text: String) -> MountTable { MountTable(parsing: Array(text.utf8)) }

  @Test func `flags of the mount and of its superblock are told apart`() throws {
    let table = table(Self.plain)
    #expect(table.malformedLines == 0)
    let root = try #require(table.mount(of: "/etc", id: 27))
    let mount = Mount(root, at: "/", inUserNamespace: false)
    #expect(mount.fstype == "ext4")
    #expect(mount.superblockReadOnly)
    #expect(!mount.readOnly)
    #expect(mount.source == "/dev/vda")

    let odd = try #require(table.mount(of: "/dev/a b\tc/node", id: 30))
    #expect(odd.point == "/dev/a b\tc")
    #expect(odd.root == "/sub")
    let oddMount = Mount(odd, at: "/dev/a b\tc", inUserNamespace: false)
    #expect(oddMount.readOnly && oddMount.nosymfollow && !oddMount.superblockReadOnly)
    #expect(oddMount.unobserved == [.idmap])
  }

  @Test func `a mount without a peer is private`() {
    let table = table(Self.plain)
    #expect(table.entries.map(\.isPrivate) == [false, true, true, false, true])
    let other = MountEntry(
      parsing: Array("1 0 0:1 / /a rw unbindable - tmpfs shared:1 rw,master:2".utf8)[...])
    #expect(other?.isPrivate == true)
  }

  @Test func `an empty source is two blanks in a row`() throws {
    let entry = try #require(table(Self.plain).mount(of: "/dev/x", id: 31))
    let mount = Mount(entry, at: "/dev/x", inUserNamespace: false)
    #expect(mount.fstype == "fuse.sshfs")
    #expect(mount.source == nil)
    #expect(!mount.superblockReadOnly)
  }

  @Test func `the options of a FUSE file system tell who may use it`() throws {
    func options(_ words: String, type: String = "fuse.sshfs") -> Mount.FuseOptions? {
      let line = "1 0 0:1 / /a rw - \(type) host: rw,\(words)"
      return MountEntry(parsing: Array(line.utf8)[...]).flatMap {
        Mount($0, at: "/a", inUserNamespace: false).fuse
      }
    }
    #expect(
      options("user_id=1000,group_id=1000")
        == Mount.FuseOptions(user: 1000, allowsOthers: false))
    #expect(
      options("user_id=0,group_id=0,allow_other", type: "fuse")
        == Mount.FuseOptions(user: 0, allowsOthers: true))
    #expect(options("group_id=1000") == nil && options("user_id=1000", type: "ext4") == nil)
  }

  @Test func `device nodes are never usable on procfs`() throws {
    let entry = try #require(table(Self.plain).mount(of: "/proc/1", id: 22))
    let mount = Mount(entry, at: "/proc", inUserNamespace: false)
    #expect(mount.superblockNodev)
    #expect(mount.nodev && mount.noexec && mount.nosuid)
  }

  @Test(arguments: [("tmpfs", true), ("overlay", true), ("devtmpfs", false), ("ext4", false)])
  func `a superblock of a user namespace may forbid device nodes unseen`(
    type: String, isUnknown: Bool
  ) throws {
    let entry = try #require(
      MountEntry(parsing: Array("1 0 0:1 / /dev rw - \(type) none rw".utf8)[...]))
    #expect(
      Mount(entry, at: "/dev", inUserNamespace: true).unobserved
        == (isUnknown ? [.superblockNodev] : []))
    #expect(Mount(entry, at: "/dev", inUserNamespace: false).unobserved == [])
  }

  @Test(
    arguments: [
      ("tmpfs tmpfs rw,mode=755", 100_000, true), ("tmpfs tmpfs rw,mode=755", 0, false),
      ("tmpfs none rw,mode=755,uid=100000,gid=100000", 100_000, false),
      ("overlay overlay rw", 100_000, false),
    ] as [(String, UInt32, Bool)])
  func `a tmpfs that root mounted outside of a user namespace is told by its options`(
    text: String, root: UInt32, isOfRoot: Bool
  ) throws {
    let entry = try #require(
      MountEntry(parsing: Array("1 0 0:1 / /dev/video0 rw - \(text)".utf8)[...]))
    let map = IDMap([.init(inside: 0, outside: root, length: 65_536)])
    #expect(entry.isOfRoot(outside: IDMapping(users: map, groups: map)) == isOfRoot)
  }

  @Test func `the mount that statx names counts, not the last one at the place`() throws {
    let table = table(
      """
      1 0 0:1 / / rw - ext4 a rw
      2 1 0:2 / /m rw - tmpfs first rw
      3 2 0:3 / /m rw - tmpfs second rw
      """)
    #expect(table.mount(of: "/m/x", id: 2)?.source == "first")
    #expect(table.mount(of: "/m/x", id: 3)?.source == "second")
    #expect(table.mount(of: "/m/x", id: nil)?.source == "second")
    #expect(table.mount(of: "/mm", id: nil)?.source == "a")
    // The ID of a mount at another path does not count.
    #expect(table.mount(of: "/n", id: 2)?.source == "a")
  }

  @Test(arguments: [
    "", " ", "x", "1 2 3", "1 2 0:1 / /a rw", "1 2 0:1 / /a rw - ", "1 2 0:1 / /a rw -",
    "a 2 0:1 / /a rw - tmpfs x rw", "1 2 0:1 / a rw - tmpfs x rw", "1 2 0:1 / /a  - tmpfs x rw",
    "99999999999 2 0:1 / /a rw - tmpfs x rw", "-1 2 0:1 / /a rw - tmpfs x rw",
    "1 2 0:1 / /a rw shared:1 tmpfs x rw", "\u{0} \u{0} \u{0} \u{0} \u{0} \u{0} \u{0} \u{0} \u{0}",
  ])
  func `a malformed line is passed over and counted`(line: String) {
    let table = table("\(line)\n27 1 254:0 / / rw - ext4 /dev/vda rw\n")
    #expect(table.entries.count == 1)
    #expect(table.malformedLines == (line.isEmpty ? 0 : 1))
    #expect(table.mount(of: "/", id: nil)?.fstype == "ext4")
  }

  @Test(arguments: [
    ("\\040", " "), ("\\134", "\\"), ("\\012", "\n"), ("a\\", "a\\"), ("\\04", "\\04"),
    ("\\999", "\\999"), ("\\777", "\\777"), ("\\0401", " 1"), ("", ""),
  ])
  func `octal escapes are undone and nothing else is`(escaped: String, plain: String) {
    let bytes = MountEntry.unescaped(Array(escaped.utf8)[...])
    #expect(String(decoding: bytes, as: UTF8.self) == plain)
  }

  @Test func `ten thousand mounts are read and found by number`() {
    let lines = (1...10_000).map { "\($0) 1 0:\($0) / /m/\($0) rw,nodev - tmpfs t\($0) rw" }
    let table = table(lines.joined(separator: "\n"))
    #expect(table.entries.count == 10_000)
    #expect(table.mount(of: "/m/7777/x", id: 7777)?.source == "t7777")
    #expect(table.mount(of: "/m/77771", id: nil) == nil)
  }

  @Test func `a mount point that is no text is kept apart from the others`() throws {
    let bytes = Array("1 0 0:1 / /a".utf8) + [0xFF] + Array(" rw - tmpfs t rw".utf8)
    let table = MountTable(parsing: bytes)
    #expect(table.entries.count == 1)
    #expect(
      try #require(table.entries.first).point == ByteText(bytes: Array("/a".utf8) + [0xFF]).text)
    #expect(table.mount(of: "/a", id: 1) == nil)
  }
}
