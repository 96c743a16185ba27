import AccessModel
import Testing

@Suite struct Capabilities {
  private static func mapping(_ uid: UInt32, _ gid: UInt32) -> IDMapping {
    IDMapping(
      users: IDMap([IDMap.Range(inside: 0, outside: uid, length: 1)]),
      groups: IDMap([IDMap.Range(inside: 0, outside: gid, length: 1)]))
  }

  @Test(arguments: [
    SceneRow("root without capabilities is nobody special", "denied 13 mode.other /a/video0") {
      $0.value.subject = Subject(uid: 0, gid: 0)
      $0.addCamera(uid: 5)
    },
    SceneRow("dac_override writes", "granted cap.dac_override /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera(mode: 0)
    },
    SceneRow("a capability that is only permitted is none", "denied 13 mode.other /a/video0") {
      $0.value.subject.permitted = [.overrideFileAccess]
      $0.addCamera(mode: 0)
    },
    SceneRow("dac_read_search reads", "granted cap.dac_read_search /a/video0") {
      $0.value.subject.effective = [.readAndSearch]
      $0.addCamera(mode: 0)
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow("dac_read_search does not write", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = [.readAndSearch]
      $0.addCamera(mode: 0)
    },
    SceneRow("dac_read_search does not read and execute a file", "denied 13 mode.other /a/f") {
      $0.value.subject.effective = [.readAndSearch]
      $0.add("/a/f", .regular, 0o100)
      $0.access("/a/f", [.read, .execute])
    },
    SceneRow("dac_read_search reads and searches a directory", "granted cap.dac_read_search /a") {
      $0.value.subject.effective = [.readAndSearch, .overrideFileAccess]
      $0.change("/a") { $0.mode = 0 }
      $0.access("/a", [.read, .execute])
    },
    SceneRow("dac_read_search does not write a directory", "denied 13 mode.other /a") {
      $0.value.subject.effective = [.readAndSearch]
      $0.change("/a") { $0.mode = 0 }
      $0.access("/a", [.write])
    },
    SceneRow("dac_override does not execute without any x", "denied 13 mode.other /a/f") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.add("/a/f", .regular, 0o666)
      $0.access("/a/f", [.execute])
    },
    SceneRow("dac_override executes with any x", "granted cap.dac_override /a/f") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.add("/a/f", .regular, 0o100)
      $0.access("/a/f", [.execute])
    },
    SceneRow("sys_admin and fowner override nothing", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = [.administerSystem, .actAsFileOwner]
      $0.addCamera(mode: 0)
    },
    SceneRow("a namespace that maps owner and group", "granted cap.dac_override /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.value.subject.userNamespace = mapping(0, 44)
      $0.addCamera(mode: 0)
    },
    SceneRow("a namespace that maps only the owner", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.value.subject.userNamespace = mapping(0, 45)
      $0.addCamera(mode: 0)
    },
    SceneRow("a namespace that maps only the group", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.value.subject.userNamespace = mapping(1, 44)
      $0.addCamera(mode: 0)
    },
    SceneRow("an empty namespace maps nothing", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.value.subject.userNamespace = IDMapping(users: IDMap([]), groups: IDMap([]))
      $0.addCamera(mode: 0)
    },
    SceneRow("what the mode grants needs no mapping", "granted mode.other /a/video0") {
      $0.value.subject.userNamespace = IDMapping(users: IDMap([]), groups: IDMap([]))
      $0.addCamera(mode: 0o666)
    },
    SceneRow("a capability overrides a list", "granted cap.dac_override /a/video0") {
      $0.value.subject.effective = [.overrideFileAccess]
      $0.addCamera(
        acl: [
          ACLEntry(.user, nil, []), ACLEntry(.user, 1000, []), ACLEntry(.group, nil, []),
          ACLEntry(.mask, nil, [.read, .write]), ACLEntry(.other, nil, []),
        ])
    },
    SceneRow("a capability searches", "granted mode.other /a/video0") {
      $0.value.subject.effective = [.readAndSearch]
      $0.change("/a") { $0.mode = 0o700 }
      $0.addCamera(mode: 0o666)
    },
  ])
  func `override what the mode refuses`(row: SceneRow) {
    row.check()
  }
}
