import AccessModel
import Testing

@Suite struct `The access system call` {
  /// Sets the real user to 1000 and the filesystem user to 5, and adds a file owned by each.
  private static func split(_ scene: inout Scene, effective: Bool) {
    scene.value.subject.fsuid = 5
    scene.value.subject.euid = 5
    scene.value.subject.fsgid = 6
    scene.add("/a/f", .regular, 0o600, uid: 5, gid: 0)
    scene.access("/a/f", .read, effective: effective)
  }

  private static func root(_ scene: inout Scene, ruid: UInt32, securebits: UInt32 = 0) {
    scene.value.subject.ruid = ruid
    scene.value.subject.rgid = 9
    scene.value.subject.permitted = [.overrideFileAccess]
    scene.value.subject.securebits = securebits
    scene.add("/a/f", .regular, 0, uid: 5, gid: 5)
    scene.access("/a/f", .read, effective: false)
  }

  @Test(arguments: [
    SceneRow("effective ids", "granted mode.owner /a/f") { split(&$0, effective: true) },
    SceneRow("real ids", "denied 13 mode.other /a/f") { split(&$0, effective: false) },
    SceneRow("the real group", "granted mode.group /a/f") {
      split(&$0, effective: false)
      $0.value.subject.rgid = 3
      $0.change("/a/f") {
        $0.gid = 3
        $0.mode = 0o040
      }
    },
    SceneRow("supplementary groups stay", "granted mode.group /a/f") {
      split(&$0, effective: false)
      $0.value.subject.groups = [3]
      $0.change("/a/f") {
        $0.gid = 3
        $0.mode = 0o040
      }
    },
    SceneRow("real ids are used for the walk", "denied 13 mode.other /a") {
      split(&$0, effective: false)
      $0.change("/a") {
        $0.uid = 5
        $0.mode = 0o700
      }
    },
    SceneRow("real root has its permitted capabilities", "granted cap.dac_override /a/f") {
      root(&$0, ruid: 0)
    },
    SceneRow("real non-root has none", "denied 13 mode.other /a/f") {
      root(&$0, ruid: 1000)
      $0.value.subject.effective = [.overrideFileAccess]
    },
    SceneRow("NO_SETUID_FIXUP keeps the effective ones", "granted cap.dac_override /a/f") {
      root(&$0, ruid: 1000, securebits: 4)
      $0.value.subject.effective = [.overrideFileAccess]
    },
    SceneRow("NO_SETUID_FIXUP gives root nothing", "denied 13 mode.other /a/f") {
      root(&$0, ruid: 0, securebits: 4)
    },
    SceneRow("other secure bits do not matter", "granted cap.dac_override /a/f") {
      root(&$0, ruid: 0, securebits: 0x2b)
    },
    SceneRow("root of the own namespace is root", "granted cap.dac_override /a/f") {
      root(&$0, ruid: 1000)
      let all = IDMap([
        IDMap.Range(inside: 0, outside: 1000, length: 1),
        IDMap.Range(inside: 1, outside: 1, length: 100),
      ])
      $0.value.subject.userNamespace = IDMapping(users: all, groups: all)
    },
    SceneRow("root outside is not root of the own namespace", "denied 13 mode.other /a/f") {
      root(&$0, ruid: 0)
      let all = IDMap([IDMap.Range(inside: 1, outside: 0, length: 100)])
      $0.value.subject.userNamespace = IDMapping(users: all, groups: all)
    },
    SceneRow("effective ids leave the capabilities alone", "denied 13 mode.other /a/f") {
      root(&$0, ruid: 0)
      $0.access("/a/f", .read, effective: true)
    },
    SceneRow("a trailing slash wants a directory", "denied 20 walk.notdir /a/f") {
      $0.add("/a/f", .regular, 0o666)
      $0.access("/a/f/", .read)
    },
    SceneRow("existence of what is unreadable", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0)
      $0.access("/a/video0", [])
    },
    SceneRow("writing a directory means creating in it", "granted mode.other /a") {
      $0.change("/a") { $0.mode = 0o777 }
      $0.access("/a", [.write, .execute])
    },
  ])
  func `uses the right credentials and order`(row: SceneRow) {
    row.check()
  }
}
