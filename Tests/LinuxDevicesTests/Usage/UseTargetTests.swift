import AccessModel
import Testing

@testable import LinuxDevices

@Suite struct `Devices whose users are looked for` {
  private func target(_ node: String, askedAs path: String) -> UseTarget {
    UseTarget(
      node: node, askedAs: [path],
      number: NodeNumber(isBlock: false, number: DeviceNumber(major: 81, minor: 0)),
      identity: FileIdentity(filesystem: DeviceNumber(major: 0, minor: 0), inode: 1))
  }

  @Test func `are each taken once, and two that look the same are two`() {
    var targets: [UseTarget] = []
    targets.add([
      target("/dev/caf\u{E9}", askedAs: "/a"), target("/dev/cafe\u{301}", askedAs: "/b"),
    ])
    targets.add([target("/dev/cafe\u{301}", askedAs: "/c")])
    #expect(targets.map { $0.node.utf8.count } == [10, 11])
    #expect(targets.map(\.askedAs) == [["/a"], ["/b", "/c"]])
  }
}
