import AccessModel
import Testing

@Suite struct `Inodes and open flags` {
  @Test(arguments: [
    SceneRow("immutable forbids writing to anyone", "denied 1 inode.immutable /a/video0") {
      $0.value.subject.effective = .all
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.flags = [.immutable] }
    },
    SceneRow("immutable comes before the mode", "denied 1 inode.immutable /a/video0") {
      $0.addCamera(mode: 0)
      $0.change("/a/video0") { $0.flags = [.immutable] }
    },
    SceneRow("immutable comes after a read-only superblock", "denied 30 sb.readonly /a/f") {
      $0.value.mounts[0].superblockReadOnly = true
      $0.add("/a/f", .regular, 0o666, flags: [.immutable])
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("immutable can be read", "granted mode.other /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.immutable])
      $0.open("/a/f", [.readOnly])
    },
    SceneRow("access sees immutable", "denied 1 inode.immutable /a") {
      $0.change("/a") { $0.flags = [.immutable] }
      $0.access("/a", .write)
    },
    SceneRow("append-only without APPEND", "denied 1 inode.append_only /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("append-only with APPEND", "granted mode.other /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.open("/a/f", [.readWrite, .append])
    },
    SceneRow("append-only truncated", "denied 1 inode.append_only /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.open("/a/f", [.writeOnly, .append, .truncate])
    },
    SceneRow("append-only truncated for reading", "denied 1 inode.append_only /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.open("/a/f", [.readOnly, .truncate])
    },
    SceneRow("append-only comes after the mode", "denied 13 mode.other /a/f") {
      $0.add("/a/f", .regular, 0o644, flags: [.append])
      $0.open("/a/f", [.writeOnly])
    },
    SceneRow("append-only with access mode 3", "denied 1 inode.append_only /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.open("/a/f", [.accessMode3])
    },
    SceneRow("truncating an append-only device means nothing", "granted mode.other /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.flags = [.append] }
      $0.open("/a/video0", [.readOnly, .truncate])
    },
    SceneRow("append-only holds for devices", "denied 1 inode.append_only /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.change("/a/video0") { $0.flags = [.append] }
    },
    SceneRow("access does not see append-only", "granted mode.other /a/f") {
      $0.add("/a/f", .regular, 0o666, flags: [.append])
      $0.access("/a/f", .write)
    },
    SceneRow("truncation wants to write, even on a device", "denied 13 mode.other /a/video0") {
      $0.addCamera(mode: 0o444)
      $0.open("/a/video0", [.readOnly, .truncate])
    },
    SceneRow("access mode 3 wants to read and write", "denied 13 mode.other /a/video0") {
      $0.addCamera(mode: 0o444)
      $0.open("/a/video0", [.accessMode3])
    },
    SceneRow("a directory opened for writing", "denied 21 open.isdir /a") {
      $0.open("/a", [.readWrite])
    },
    SceneRow("a directory truncated", "denied 21 open.isdir /a") {
      $0.open("/a", [.readOnly, .truncate])
    },
    SceneRow("a directory comes before a read-only superblock", "denied 21 open.isdir /a") {
      $0.value.mounts[0].superblockReadOnly = true
      $0.open("/a", [.writeOnly])
    },
    SceneRow("a directory opened to read", "granted mode.other /a") {
      $0.open("/a", [.readOnly, .directory])
    },
    SceneRow("PATH ignores TRUNC and looks at nothing", "granted opath.no_check /a/f") {
      $0.value.mounts[0].readOnly = true
      $0.add("/a/f", .regular, 0)
      $0.open("/a/f", [.path, .truncate, .noAccessTime])
    },
    SceneRow("PATH needs search on the way", "denied 13 mode.other /a") {
      $0.change("/a") { $0.mode = 0o700 }
      $0.addCamera(mode: 0o666)
      $0.open("/a/video0", [.path])
    },
    SceneRow("PATH heeds DIRECTORY", "denied 20 walk.notdir /a/video0") {
      $0.addCamera(mode: 0o666)
      $0.open("/a/video0", [.path, .directory])
    },
    SceneRow("NOATIME for another's file", "denied 1 open.noatime /a/f") {
      $0.add("/a/f", .regular, 0o444)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("NOATIME comes after the mode", "denied 13 mode.other /a/f") {
      $0.add("/a/f", .regular, 0o400)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("NOATIME for the owner", "granted mode.owner /a/f") {
      $0.add("/a/f", .regular, 0o400, uid: 1000)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("NOATIME with fowner", "granted mode.other /a/f") {
      $0.value.subject.effective = [.actAsFileOwner]
      $0.add("/a/f", .regular, 0o444)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("NOATIME with fowner needs the owner mapped", "denied 1 open.noatime /a/f") {
      $0.value.subject.effective = [.actAsFileOwner]
      $0.value.subject.userNamespace = IDMapping(users: IDMap([]), groups: IDMap([]))
      $0.add("/a/f", .regular, 0o444)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("NOATIME with fowner does not need the group mapped", "granted mode.other /a/f") {
      $0.value.subject.effective = [.actAsFileOwner]
      $0.value.subject.userNamespace = IDMapping(
        users: IDMap([IDMap.Range(inside: 0, outside: 0, length: 1)]), groups: IDMap([]))
      $0.add("/a/f", .regular, 0o444)
      $0.open("/a/f", [.readOnly, .noAccessTime])
    },
    SceneRow("a driver is not asked", "granted mode.other /a/s") {
      $0.add("/a/s", .socket, 0o666)
      $0.open("/a/s", [.readWrite])
    },
  ])
  func `follow the kernel`(row: SceneRow) {
    row.check()
  }
}
