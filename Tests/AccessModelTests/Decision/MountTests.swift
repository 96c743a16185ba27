import AccessModel
import Testing

@Suite struct Mounts {
  private static func map(_ inside: UInt32, _ outside: UInt32, _ length: UInt32) -> IDMapping {
    let map = IDMap([IDMap.Range(inside: inside, outside: outside, length: length)])
    return IDMapping(users: map, groups: map)
  }

  @Test(arguments: [
    SceneRow("nodev refuses a device", "denied 13 mount.nodev /a/video0") {
      $0.value.mounts[0].nodev = true
      $0.addCamera(mode: 0o666)
    },
    SceneRow("nodev refuses root, before any mode", "denied 13 mount.nodev /a/video0") {
      $0.value.subject.effective = .all
      $0.value.mounts[0].superblockNodev = true
      $0.addCamera(mode: 0)
    },
    SceneRow("access does not see nodev", "granted mode.other /a/video0") {
      $0.value.mounts[0].nodev = true
      $0.value.mounts[0].superblockNodev = true
      $0.addCamera(mode: 0o666)
      $0.access("/a/video0", [.read, .write])
    },
    SceneRow("nodev lets a fifo be", "granted mode.other /a/p") {
      $0.value.mounts[0].nodev = true
      $0.add("/a/p", .fifo, 0o666)
      $0.open("/a/p", [.readWrite])
    },
    SceneRow("PATH opens on nodev", "granted opath.no_check /a/video0") {
      $0.value.mounts[0].nodev = true
      $0.addCamera(mode: 0)
      $0.open("/a/video0", [.path])
    },
    SceneRow("a read-only mount lets devices be written", "granted mode.other /a/video0") {
      $0.value.mounts[0].readOnly = true
      $0.value.mounts[0].superblockReadOnly = true
      $0.addCamera(mode: 0o666)
    },
    SceneRow("access agrees on that", "granted mode.other /a/video0") {
      $0.value.mounts[0].readOnly = true
      $0.value.mounts[0].superblockReadOnly = true
      $0.addCamera(mode: 0o666)
      $0.access("/a/video0", .write)
    },
    SceneRow("a read-only mount refuses a file after its mode", "denied 30 mount.readonly /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("the mode comes first", "denied 13 mode.other /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.add("/a/f", .regular, 0o644)
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("truncation comes before the mode", "denied 30 mount.readonly /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.add("/a/f", .regular, 0)
      $0.open("/a/f", [.readOnly, .truncate])
    },
    SceneRow("a read-only superblock comes before the mode", "denied 30 sb.readonly /a/f") {
      $0.value.mounts[0].superblockReadOnly = true
      $0.add("/a/f", .regular, 0)
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("access sees a read-only superblock first", "denied 30 sb.readonly /a") {
      $0.value.mounts[0].superblockReadOnly = true
      $0.access("/a", .write)
    },
    SceneRow("access sees a read-only mount last", "denied 13 mode.other /a") {
      $0.value.mounts[0].readOnly = true
      $0.access("/a", .write)
    },
    SceneRow("access to a directory on a read-only mount", "denied 30 mount.readonly /a") {
      $0.value.mounts[0].readOnly = true
      $0.change("/a") { $0.mode = 0o777 }
      $0.access("/a", .write)
    },
    SceneRow("reading a read-only file", "granted mode.other /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.value.mounts[0].superblockReadOnly = true
      $0.add("/a/f", .regular, 0o444)
      $0.open("/a/f", [.readOnly])
    },
    SceneRow("access mode 3 passes a read-only mount", "granted mode.other /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.accessMode3])
    },
    SceneRow("access mode 3 fails a read-only superblock", "denied 30 sb.readonly /a/f") {
      $0.value.mounts[0].superblockReadOnly = true
      $0.add("/a/f", .regular, 0o666)
      $0.open("/a/f", [.accessMode3])
    },
    SceneRow("noexec refuses before the mode", "denied 13 mount.noexec /a/f") {
      $0.value.mounts[0].noexec = true
      $0.add("/a/f", .regular, 0)
      $0.access("/a/f", .execute)
    },
    SceneRow("noexec lets directories be searched", "granted mode.other /a") {
      $0.value.mounts[0].noexec = true
      $0.access("/a", .execute)
    },
    SceneRow("the deepest mount counts", "granted mode.other /a/video0") {
      $0.value.mounts[0].nodev = true
      $0.value.mounts.append(Mount(at: "/a", fstype: "devtmpfs"))
      $0.addCamera(mode: 0o666)
    },
    SceneRow("a later mount covers an earlier one", "denied 13 mount.nodev /a/video0") {
      $0.value.mounts.append(Mount(at: "/a", fstype: "devtmpfs"))
      $0.value.mounts.append(Mount(at: "/a", fstype: "devtmpfs"))
      $0.value.mounts[2].nodev = true
      $0.addCamera(mode: 0o666)
    },
    SceneRow("a mount on the file itself", "denied 13 mount.nodev /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].nodev = true
      $0.addCamera(mode: 0o666)
    },
    SceneRow("a mount beside with the same beginning", "granted mode.other /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video", fstype: "tmpfs"))
      $0.value.mounts[1].nodev = true
      $0.add("/a/video", .directory, 0o755)
      $0.addCamera(mode: 0o666)
    },
    SceneRow("dot-dot from a mount leads to what it covers", "granted mode.other /a/video0") {
      $0.value.mounts.append(Mount(at: "/b", fstype: "tmpfs"))
      $0.value.mounts[1].nodev = true
      $0.add("/b", .directory, 0o755)
      $0.addCamera(mode: 0o666)
      $0.open("/b/../a/video0", [.readOnly])
    },
    SceneRow("an id-mapped mount makes the subject owner", "granted mode.owner /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 1000, 1)
      $0.addCamera(mode: 0o600, gid: 0)
    },
    SceneRow("an id-mapped mount takes ownership away", "denied 13 mode.other /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(1000, 2000, 10)
      $0.addCamera(mode: 0o600, uid: 1000, gid: 1000)
    },
    SceneRow("an unmapped owner forbids writing", "denied 13 inode.unmapped_id /a/video0") {
      $0.value.subject.effective = .all
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 0, 1)
      $0.addCamera(mode: 0o666, uid: 5, gid: 0)
    },
    SceneRow("an unmapped group forbids writing", "denied 13 inode.unmapped_id /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 0, 1)
      $0.addCamera(mode: 0o666, uid: 0, gid: 5)
    },
    SceneRow("an unmapped owner can be read", "granted mode.other /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 0, 1)
      $0.addCamera(mode: 0o666, uid: 5, gid: 0)
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow("no capability reaches an unmapped owner", "denied 13 mode.other /a/video0") {
      $0.value.subject.effective = .all
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 0, 1)
      $0.addCamera(mode: 0o660, uid: 5, gid: 0)
      $0.open("/a/video0", [.readOnly])
    },
    SceneRow("ids of a list are translated too", "granted acl.user /a/video0") {
      $0.value.mounts.append(Mount(at: "/a/video0", fstype: "tmpfs"))
      $0.value.mounts[1].idmap = map(0, 995, 100)
      $0.addCamera(
        gid: 0,
        acl: [
          ACLEntry(.user, nil, []), ACLEntry(.user, 5, [.read, .write]),
          ACLEntry(.group, nil, []), ACLEntry(.mask, nil, [.read, .write]),
          ACLEntry(.other, nil, []),
        ])
    },
    SceneRow("an idmap composes with the superblock's namespace", "granted mode.owner /a/f") {
      $0.value.mounts.append(Mount(at: "/a/f", fstype: "tmpfs"))
      // The superblock's namespace maps 100005 to 5, and the mount shows 5 as 1000.
      $0.value.mounts[1].filesystemNamespace = map(0, 100_000, 10)
      $0.value.mounts[1].idmap = map(5, 1000, 1)
      $0.add("/a/f", .regular, 0o600, uid: 100_005, gid: 100_005)
      $0.open("/a/f", [.readWrite])
    },
    SceneRow("without an idmap the superblock's namespace is no matter", "granted mode.owner /a/f")
    {
      $0.value.mounts.append(Mount(at: "/a/f", fstype: "tmpfs"))
      $0.value.mounts[1].filesystemNamespace = map(0, 100_000, 10)
      $0.add("/a/f", .regular, 0o600, uid: 1000, gid: 1000)
      $0.open("/a/f", [.readWrite])
    },
  ])
  func `refuse by flag, type and id`(row: SceneRow) {
    row.check()
  }

  @Test(arguments: [
    "fuse", "fuse.portal", "nfs4", "cifs", "ceph", "proc", "autofs", "ntfs3", "",
  ])
  func `a filesystem with rules of its own leaves it open`(fstype: String) {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.value.mounts.append(Mount(at: "/a", fstype: fstype))
    #expect(
      scene.answer
        == "undecided the filesystem has permission rules of its own: /a is on \(fstype)")
    #expect(scene.verdict == scene.answer)
  }

  @Test(arguments: [
    "tmpfs", "devtmpfs", "ramfs", "ext2", "ext3", "ext4", "xfs", "f2fs", "erofs", "squashfs",
    "vfat", "exfat", "btrfs", "sysfs", "overlay", "jfs", "ubifs", "hfsplus", "bcachefs", "zfs",
    "9p", "virtiofs", "nilfs2",
  ])
  func `a filesystem with the generic rules is decided`(fstype: String) {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.value.mounts[0].fstype = fstype
    #expect(scene.answer == "granted mode.other /a/video0")
  }

  @Test func `a snapshot of nilfs2 has a rule of its own`() {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.value.mounts[0].fstype = "nilfs2"
    scene.value.mounts[0].superblockReadOnly = true
    #expect(scene.answer.hasPrefix("undecided"))
  }

  @Test(arguments: ["9p", "virtiofs", "zfs", "ext4"])
  func `a list that may not be in force decides nothing`(fstype: String) {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.value.mounts[0].fstype = fstype
    scene.change("/a/video0") {
      $0.acl = [
        ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 4711, []),
        ACLEntry(.group, nil, [.read, .write]), ACLEntry(.mask, nil, [.read, .write]),
        ACLEntry(.other, nil, [.read, .write]),
      ]
    }
    #expect(scene.answer.hasPrefix("undecided") == (fstype != "ext4"))
  }

  @Test func `what is refused before reaching such a filesystem is refused`() {
    var scene = Scene()
    scene.addCamera(mode: 0o666)
    scene.change("/") { $0.mode = 0o700 }
    scene.value.mounts.append(Mount(at: "/a", fstype: "fuse"))
    #expect(scene.answer == "denied 13 mode.other /")
  }
}
