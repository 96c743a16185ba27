import AccessModel
import Testing

@Suite struct `What was not observed` {
  private static let acl = "the access control list was not observed: /a/video0"
  private static let groups = "the supplementary groups of the subject were not observed: /a/video0"
  private static let capabilities =
    "the capabilities of the subject were not observed: /a/video0"

  @Test(arguments: [
    SceneRow("a list, and the subject is the owner", "granted mode.owner /a/video0") {
      $0.addCamera(uid: 1000)
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("a list, and the mask is 000", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o606)
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("an ACL that could grant the subject access", "undecided \(acl)") {
      $0.addCamera()
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("a list that could keep the subject out", "undecided \(acl)") {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("a list whose mask and others are too small", "denied 13 mode.other /a/video0") {
      $0.addCamera(mode: 0o640)
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("a list that a capability overrides", "granted cap.dac_override /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera()
      $0.change("/a/video0") { $0.unobserved = [.acl] }
    },
    SceneRow("a list does not matter for existence", "granted mode.other /a/video0") {
      $0.addCamera()
      $0.change("/a/video0") { $0.unobserved = [.acl] }
      $0.access("/a/video0", [])
    },
    SceneRow("a list on the way, and the same refusal at the end", "denied 13 mode.other /a/video0")
    {
      $0.addCamera()
      $0.change("/a") { $0.unobserved = [.acl] }
    },
    SceneRow(
      "a list on the way, and another refusal at the end",
      "undecided the access control list was not observed: /a"
    ) {
      $0.addCamera()
      $0.change("/a") { $0.unobserved = [.acl] }
      $0.open("/a/gone", [.readOnly])
    },
    SceneRow("groups, and the primary group suffices", "granted mode.group /a/video0") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(gid: 1000)
    },
    SceneRow("groups that could grant the subject access", "undecided \(groups)") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera()
    },
    SceneRow("groups that could keep the subject out", "undecided \(groups)") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(mode: 0o606)
    },
    SceneRow("groups, when all may", "granted mode.other /a/video0") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(mode: 0o666)
    },
    SceneRow("groups, when nobody may", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(mode: 0o600)
    },
    SceneRow("groups, and the named user is granted", "granted acl.user /a/video0") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(acl: [
        ACLEntry(.user, nil, []), ACLEntry(.user, 1000, [.read, .write]),
        ACLEntry(.group, nil, []), ACLEntry(.mask, nil, [.read, .write]),
        ACLEntry(.other, nil, []),
      ])
    },
    SceneRow("groups, and a list names one that would grant", "undecided \(groups)") {
      $0.value.subject.unobserved = [.groups]
      $0.addCamera(acl: [
        ACLEntry(.user, nil, []), ACLEntry(.group, nil, []), ACLEntry(.group, 7, [.read, .write]),
        ACLEntry(.mask, nil, [.read, .write]), ACLEntry(.other, nil, []),
      ])
    },
    SceneRow("capabilities, when the mode grants", "granted mode.other /a/video0") {
      $0.value.subject.unobserved = [.capabilities]
      $0.addCamera(mode: 0o666)
    },
    SceneRow("capabilities, when the mode refuses", "undecided \(capabilities)") {
      $0.value.subject.unobserved = [.capabilities]
      $0.addCamera()
    },
    SceneRow("capabilities that would not help", "denied 13 mode.other /a/f") {
      $0.value.subject.unobserved = [.capabilities]
      $0.add("/a/f", .regular, 0o600)
      $0.access("/a/f", .execute)
    },
    SceneRow("capabilities over an unmapped owner", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.capabilities]
      $0.value.subject.userNamespace = IDMapping(users: IDMap([]), groups: IDMap([]))
      $0.addCamera()
    },
    SceneRow(
      "the namespace, with a capability",
      "undecided the user namespace of the subject was not observed: /a/video0"
    ) {
      $0.value.subject.unobserved = [.userns]
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera()
    },
    SceneRow("the namespace, without any capability", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.userns]
      $0.addCamera()
    },
    SceneRow("ids, when all may", "granted mode.other /a/video0") {
      $0.value.subject.unobserved = [.ids, .groups]
      $0.addCamera(mode: 0o666)
    },
    SceneRow(
      "ids, when the owner may",
      "undecided the user and group IDs of the subject were not observed: /a/video0"
    ) {
      $0.value.subject.unobserved = [.ids, .groups]
      $0.addCamera(mode: 0o600)
    },
    SceneRow("ids, when nobody may", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.ids, .groups]
      $0.addCamera(mode: 0o000)
    },
    SceneRow("secure bits that change nothing", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.securebits]
      $0.addCamera()
      $0.access("/a/video0", .read, effective: false)
    },
    SceneRow("secure bits that decide", "undecided \(capabilities)") {
      $0.value.subject.unobserved = [.securebits]
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera()
      $0.access("/a/video0", .read, effective: false)
    },
    SceneRow("secure bits do not matter to open", "granted cap.dac_override /a/video0") {
      $0.value.subject.unobserved = [.securebits]
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera()
    },
    SceneRow(
      "the device program",
      "undecided the device cgroup of the subject was not observed: /a/video0"
    ) {
      $0.value.subject.unobserved = [.deviceCgroup]
      $0.addCamera(mode: 0o666)
    },
    SceneRow("the device program, when the mode refuses", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.deviceCgroup]
      $0.addCamera()
    },
    SceneRow("the device program is no matter for files", "granted mode.other /a/f") {
      $0.value.subject.unobserved = [.deviceCgroup]
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readOnly])
    },
    SceneRow("inode flags, for reading", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.unobserved = [.flags] }
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow(
      "inode flags, for writing",
      "undecided the immutable and append-only flags were not observed: /a/video0"
    ) {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.unobserved = [.flags] }
    },
    SceneRow(
      "inode flags, when the mode refuses as well",
      "undecided the immutable and append-only flags were not observed: /a/video0"
    ) {
      // The request fails in either case, but the error is unknown.
      $0.addCamera()
      $0.change("/a/video0") { $0.unobserved = [.flags] }
    },
    SceneRow("contents, for a name that is listed", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.change("/a") { $0.unobserved = [.contents] }
    },
    SceneRow(
      "contents, for a name that is not",
      "undecided the contents of the directory were not observed: /a"
    ) {
      $0.change("/a") { $0.unobserved = [.contents] }
    },
    SceneRow("contents, without search", "denied 13 mode.other /a") {
      $0.change("/a") {
        $0.mode = 0o700
        $0.unobserved = [.contents]
      }
    },
    SceneRow(
      "the target of a link",
      "undecided the target of the symbolic link was not observed: /a/l"
    ) {
      $0.add("/a/l", .symbolicLink, 0o777)
      $0.change("/a/l") { $0.unobserved = [.target] }
      $0.open("/a/l", [.readOnly])
    },
    SceneRow("the target of a link that is not followed", "denied 40 symlink.nofollow /a/l") {
      $0.add("/a/l", .symbolicLink, 0o777)
      $0.change("/a/l") { $0.unobserved = [.target] }
      $0.open("/a/l", [.readOnly, .noFollow])
    },
    SceneRow(
      "the status",
      "undecided the type, mode and owner were not observed: /a/video0"
    ) {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.unobserved = [.status] }
    },
    SceneRow("the status behind a directory that cannot be searched", "denied 13 mode.other /a") {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.unobserved = [.status] }
      $0.change("/a") { $0.mode = 0o600 }
    },
    SceneRow(
      "the superblock's nodev",
      "undecided the nodev flag of the superblock was not observed: /a/video0"
    ) {
      $0.value.mounts[0].unobserved = [.superblockNodev]
      $0.addCamera(mode: 0o666)
    },
    SceneRow("the superblock's nodev, when the mode refuses", "denied 13 mode.other /a/video0") {
      $0.value.mounts[0].unobserved = [.superblockNodev]
      $0.addCamera()
    },
    SceneRow("the superblock's nodev, for a file", "granted mode.other /a/f") {
      $0.value.mounts[0].unobserved = [.superblockNodev]
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readOnly])
    },
    SceneRow("mount flags, for reading a file", "granted mode.other /a/f") {
      $0.value.mounts[0].unobserved = [.flags]
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readOnly])
    },
    SceneRow(
      "mount flags, for writing a file",
      "undecided the mount flags were not observed: /a/f"
    ) {
      $0.value.mounts[0].unobserved = [.flags]
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.readWrite])
    },
    SceneRow("the maps of a mount, when all may read", "granted mode.other /a/video0") {
      $0.value.mounts[0].unobserved = [.idmap]
      $0.addCamera(mode: 0o666)
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow(
      "the maps of a mount, for writing",
      "undecided the maps of the id-mapped mount were not observed: /a/video0"
    ) {
      $0.value.mounts[0].unobserved = [.idmap]
      $0.addCamera(mode: 0o666)
    },
    SceneRow(
      "overflow ids on both sides",
      "undecided the real owner or group is hidden (shown as 65534): /a/video0"
    ) {
      $0.value.subject.unobserved = [.overflowIDs]
      $0.value.subject.groups = [65534]
      $0.addCamera(gid: 65534)
    },
    SceneRow("an overflow ID of only the object", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.overflowIDs]
      $0.addCamera(uid: 65534, gid: 65534)
    },
    SceneRow("an overflow ID of only the subject", "denied 13 mode.other /a/video0") {
      $0.value.subject.unobserved = [.overflowIDs]
      $0.value.subject.groups = [65534]
      $0.addCamera()
    },
    SceneRow(
      "an overflow id and an entry of a list that is unmapped",
      "undecided the real owner or group is hidden (shown as 65534): /a/video0"
    ) {
      $0.value.subject.unobserved = [.overflowIDs]
      $0.value.subject.fsuid = 65534
      $0.addCamera(acl: [
        ACLEntry(.user, nil, []), ACLEntry(.user, .max, [.read, .write]),
        ACLEntry(.group, nil, []), ACLEntry(.mask, nil, [.read, .write]),
        ACLEntry(.other, nil, []),
      ])
    },
    SceneRow("65534 is an id like others when none is hidden", "granted mode.group /a/video0") {
      $0.value.subject.groups = [65534]
      $0.addCamera(gid: 65534)
    },
    SceneRow("two doubts with one error number", "denied 13 mode.other /a/video0") {
      $0.value.mounts[0].unobserved = [.superblockNodev]
      $0.change("/a") { $0.unobserved = [.acl] }
      $0.addCamera()
    },
  ])
  func `leaves an answer open only where it matters`(row: SceneRow) {
    row.check()
  }

  @Test func `a doubt is told in the step where it arose`() {
    var scene = Scene()
    scene.change("/a") { $0.unobserved = [.acl] }
    scene.addCamera(mode: 0o666)
    let steps = scene.value.decide().steps
    #expect(
      steps.map(\.outcome) == [
        .granted, .undecided(reason: "the access control list was not observed: /a"), .granted,
      ])
  }
}
