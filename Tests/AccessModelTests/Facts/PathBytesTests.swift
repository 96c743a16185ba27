import Testing
import UdevRules

@testable import AccessModel

@Suite struct `The bytes of paths` {
  @Test(arguments: [
    ("/a/b", "/a", true), ("/a", "/a", false), ("/ab", "/a", false), ("/a/\u{301}b", "/a", true),
    ("/caf\u{E9}/b", "/cafe\u{301}", false), ("/caf\u{E9}/b", "/caf\u{E9}", true),
    ("/a", "/a/b", false),
  ])
  func `say what is below a directory`(path: String, directory: String, isBelow: Bool) {
    #expect(path.isBelow(directory) == isBelow)
    #expect(path.isAtOrBelow(directory) == (isBelow || path.utf8.elementsEqual(directory.utf8)))
  }

  @Test func `part names, also one that begins with a mark`() {
    #expect("/a/\u{301}b//c".parts(at: "/") == ["a", "\u{301}b", "c"])
    #expect("a\r\nb".parts(at: "\n", omittingEmpty: false) == ["a\r", "b"])
    #expect("".parts(at: "/", omittingEmpty: false) == [""])
  }

  @Test func `tell files of rules apart`() {
    let files = ["caf\u{E9}", "cafe\u{301}"].map { name in
      RuleFile(
        folder: "/etc/udev/rules.d", name: "\(name).rules",
        bytes: Array("TAG+=\"\(name.utf8.count)\"\n".utf8))
    }
    let rules = RuleFacts(node: "/dev/video0", files: files, version: 252)
    #expect(rules.rules.files.map { $0.lines.first?.tokens.first?.value } == ["6", "5"])
    #expect(rules.file(at: files[1].path)?.bytes == files[1].bytes)
    #expect(rules.replacing(files[0].path, with: nil).files.map(\.bytes) == [files[1].bytes])
  }

  @Test func `tell a hidden file of rules, also where a mark follows its dot`() {
    let file = RuleFile(folder: "/etc/udev/rules.d", name: ".\u{301}a.rules", bytes: [10])
    #expect(RuleFacts(node: "/dev/video0", files: [file], version: 252).choice.excluded.isEmpty)
    #expect(RuleFacts(node: "/dev/video0", files: [file], version: 252).choice.read.isEmpty)
  }

  @Test func `have a sign before each sign that a reader would take for another, whatever follows`()
  {
    let text = "a\\\u{301}\"\u{20D7}\""
    #expect(
      Array(text.doubling("\\").utf8) == Array("a\\\\\u{301}\"\u{20D7}\"".utf8))
    #expect(
      Array(text.placing("\\", before: "\"", "\\").utf8)
        == Array("a\\\\\u{301}\\\"\u{20D7}\\\"".utf8))
  }

  @Test(arguments: [
    ("/caf\u{E9}/b", "ext4"), ("/cafe\u{301}/b", "vfat"), ("/mnt/\u{301}x", "nfs"), ("/b", "tmpfs"),
  ])
  func `decide on which mount a path is`(path: String, type: String) {
    let mounts = [
      Mount(at: "/", fstype: "tmpfs"), Mount(at: "/caf\u{E9}", fstype: "ext4"),
      Mount(at: "/cafe\u{301}", fstype: "vfat"), Mount(at: "/mnt", fstype: "nfs"),
    ]
    let access = AccessCase(
      protectedSymlinks: true, mounts: mounts, nodes: [], subject: Subject(uid: 0, gid: 0),
      request: .access(path: path, mode: .read, effective: true, noFollow: false))
    #expect(access.mount(of: path)?.fstype == type)
    #expect(MountIndex(mounts).mount(of: path)?.fstype == type)
  }
}
