import AccessModel
import Testing

@Suite struct `Access control lists` {
  /// A list whose entries are in the kernel's order, with the mask `rw-`.
  private static func list(_ named: [ACLEntry], mask: Permissions = [.read, .write])
    -> [ACLEntry]
  {
    [ACLEntry(.user, nil, [.read, .write])] + named.filter { $0.tag == .user }
      + [ACLEntry(.group, nil, [.read, .write])] + named.filter { $0.tag == .group }
      + [ACLEntry(.mask, nil, mask), ACLEntry(.other, nil, [])]
  }

  @Test(arguments: [
    SceneRow("a named user is granted", "granted acl.user /a/video0") {
      $0.addCamera(acl: list([ACLEntry(.user, 1000, [.read, .write])]))
    },
    SceneRow("a named user with too little is final", "denied 13 acl.user /a/video0") {
      $0.value.subject.groups = [44]
      $0.addCamera(acl: list([ACLEntry(.user, 1000, .read)]))
    },
    SceneRow("a named user is cut down by the mask", "denied 13 acl.mask /a/video0") {
      $0.addCamera(
        mode: 0o640, acl: list([ACLEntry(.user, 1000, [.read, .write])], mask: .read))
    },
    SceneRow("the owning group is cut down by the mask", "denied 13 acl.mask /a/video0") {
      $0.value.subject.groups = [44]
      $0.addCamera(mode: 0o640, acl: list([], mask: .read))
    },
    SceneRow("a named group is granted", "granted acl.group /a/video0") {
      $0.value.subject.groups = [7]
      $0.addCamera(acl: list([ACLEntry(.group, 7, [.read, .write])]))
    },
    SceneRow("rights of two groups are not united", "denied 13 acl.group /a/video0") {
      $0.value.subject.groups = [7, 8]
      $0.addCamera(acl: list([ACLEntry(.group, 7, .read), ACLEntry(.group, 8, .write)]))
    },
    SceneRow("the group that holds all wins over one before", "granted acl.group /a/video0") {
      $0.value.subject.groups = [7, 8]
      $0.addCamera(
        acl: list([ACLEntry(.group, 7, .read), ACLEntry(.group, 8, [.read, .write])]))
    },
    SceneRow("a matched group forbids the bits of others", "denied 13 acl.group /a/video0") {
      $0.value.subject.groups = [7]
      var acl = list([ACLEntry(.group, 7, .read)])
      acl[acl.count - 1].permissions = [.read, .write]
      $0.addCamera(mode: 0o666, acl: acl)
    },
    SceneRow("nobody matches: others, without the mask", "granted acl.other /a/video0") {
      var acl = list([ACLEntry(.group, 7, .read)], mask: .read)
      acl[acl.count - 1].permissions = [.read, .write]
      $0.addCamera(mode: 0o646, acl: acl)
    },
    SceneRow("nobody matches and others have nothing", "denied 13 acl.other /a/video0") {
      $0.addCamera(acl: list([ACLEntry(.user, 1001, [.read, .write])]))
    },
    SceneRow("mask 000 skips the list: a named user gets others", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o606, acl: list([ACLEntry(.user, 1000, [.read, .write])], mask: []))
    },
    SceneRow(
      "mask 000 skips the list: a group member gets nothing", "denied 13 mode.group /a/video0"
    ) {
      $0.value.subject.groups = [44]
      $0.addCamera(mode: 0o606, acl: list([], mask: []))
    },
    SceneRow("the owner never reaches the list", "denied 13 mode.owner /a/video0") {
      $0.addCamera(
        mode: 0o460, uid: 1000, acl: list([ACLEntry(.user, 1000, [.read, .write])]))
    },
    SceneRow("of two entries for a user the first counts", "denied 13 acl.user /a/video0") {
      $0.addCamera(
        acl: list([ACLEntry(.user, 1000, .read), ACLEntry(.user, 1000, [.read, .write])]))
    },
    SceneRow("of two entries for a group the one that holds all", "granted acl.group /a/video0") {
      $0.value.subject.groups = [7]
      $0.addCamera(
        acl: list([ACLEntry(.group, 7, .read), ACLEntry(.group, 7, [.read, .write])]))
    },
    SceneRow("without a mask nothing is cut down", "granted acl.user /a/video0") {
      let acl = list([ACLEntry(.user, 1000, [.read, .write])]).filter { $0.tag != .mask }
      $0.addCamera(mode: 0o640, acl: acl)
    },
    SceneRow("the primary group matches a named group", "granted acl.group /a/video0") {
      $0.addCamera(acl: list([ACLEntry(.group, 1000, [.read, .write])]))
    },
    SceneRow("an entry of an unmapped id is nobody", "denied 13 acl.other /a/video0") {
      $0.value.subject.fsuid = .max
      $0.addCamera(acl: list([ACLEntry(.user, .max, [.read, .write])]))
    },
    SceneRow("a list without an entry for others is broken", "denied 5 acl.other /a/video0") {
      $0.addCamera(acl: [ACLEntry(.user, nil, [.read, .write])])
    },
    SceneRow("a directory's list decides its search", "denied 13 acl.user /a") {
      $0.change("/a") { $0.acl = list([ACLEntry(.user, 1000, .read)]) }
      $0.addCamera(mode: 0o666)
    },
    SceneRow("existence needs no right on the object", "granted acl.other /a/video0") {
      $0.addCamera(acl: list([]))
      $0.access("/a/video0", [])
    },
  ])
  func `the kernel's order of entries decides`(row: SceneRow) {
    row.check()
  }

  @Test func `the first of several groups that lack is named`() {
    var scene = Scene()
    scene.value.subject.groups = [7, 8]
    scene.addCamera(
      acl: Self.list([ACLEntry(.group, 7, .read), ACLEntry(.group, 8, .write)]))
    let decision = scene.value.decide()
    #expect(decision.entry == 2)
    #expect(decision.allMatchingGroupsLack)
  }

  @Test func `one group that lacks is no several`() {
    var scene = Scene()
    scene.value.subject.groups = [7]
    scene.addCamera(acl: Self.list([ACLEntry(.group, 7, .read)]))
    #expect(!scene.value.decide().allMatchingGroupsLack)
  }
}
