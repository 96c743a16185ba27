import AccessModel

/// Paths and nodes, the album, and uncertain or refused access.
extension CauseTests {
  static let paths: [CauseCase] = [
    CauseCase("no node at all", .nodeAbsent, nil, .absent, command: "lsusb") {
      $0.removeDevices()
    },
    CauseCase("only a metadata node", .wrongNodeMetadata, nil, .absent) {
      $0.device { $0.index = 1 }
    },
    CauseCase("only an output node", .wrongNodeMetadata, nil, .absent) {
      $0.device {
        $0.driver = "vivid"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
      }
    },
    CauseCase("only codecs", .wrongNodePipeline, nil, .absent) {
      $0.device { $0.driver = "bcm2835-codec" }
    },
    CauseCase("a virtual camera that nobody feeds", .loopbackCaps, nil, .absent) {
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
      }
    },
    CauseCase(
      "a directory in the node's place", .nodeNotADevice, nil, .absent,
      command: "rmdir /dev/video0"
    ) {
      $0.add("/dev/video0", .directory)
    },
    CauseCase(
      "a file in the node's place, asked by path", .nodeNotADevice, nil, .absent,
      command: "rm /dev/video0"
    ) {
      $0.removeDevices()
      $0.ask("/dev/video0", .regular, mode: 0o666)
    },
    CauseCase(
      "a closed parent", .parentNotSearchable, .denied,
      command: "setfacl -m u:alice:x /srv/cam"
    ) {
      $0.ask("/srv/cam/video9", gid: 0)
      $0.node("/srv/cam") { $0.mode = 0o750 }
    },
    CauseCase("another number after a replug", .nodeRenumbered, nil, .absent) {
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video7", flags: [.readWrite])
    },
    CauseCase("a component that is no directory", .pathNotADirectory, nil, .absent) {
      $0.ask("/srv/file", .regular)
      $0.facts.access.request = .open(path: "/srv/file/video0", flags: [.readWrite])
    },
    CauseCase("a name that is too long", .pathTooLong, nil, .absent) {
      $0.facts.kind = nil
      $0.facts.access.request = .open(
        path: "/dev/" + String(repeating: "v", count: 300), flags: [.readWrite])
    },
    CauseCase("another user's link in a sticky directory", .symlinkRefused, .restricted) {
      $0.add("/tmp", .directory, mode: 0o1777)
      $0.ask("/tmp/cam", .symbolicLink, mode: 0o777, uid: Fixtures.bob)
      $0.node("/tmp/cam") { $0.target = "/dev/video0" }
    },
    CauseCase("the access time is the owner's", .openFlagRefused, .restricted) {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.facts.access.request = .open(path: "/srv/file", flags: [.readOnly, .noAccessTime])
    },
    CauseCase(
      "a program on a noexec mount", .mountNoexec, .restricted,
      command: "mount -o remount,bind,exec /"
    ) {
      $0.ask("/srv/program", .regular, mode: 0o755)
      $0.facts.access.mounts[0].noexec = true
      $0.facts.access.request = .access(
        path: "/srv/program", mode: .execute, effective: true, noFollow: false)
    },
    CauseCase("a loop of links", .symlinkLoop, nil, .absent) {
      $0.ask("/srv/loop", .symbolicLink)
      $0.node("/srv/loop") { $0.target = "loop" }
    },
  ]

  static let albums: [CauseCase] = [
    CauseCase(
      "no pictures directory", .albumDirectoryMissing, nil, .absent,
      command: "mkdir -p /home/alice/Pictures", from: .album()
    ) {
      $0.facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
    },
    CauseCase(
      "a home that is another's", .albumTraverse, .denied,
      command: "setfacl -m u:alice:x /home/alice", from: .album()
    ) {
      $0.node("/home/alice") {
        $0.mode = 0o700
        $0.uid = Fixtures.bob
      }
    },
    CauseCase(
      "pictures that are another's, and may be read", .albumTraverse, .limited,
      command: "setfacl -m u:alice:rwx /home/alice/Pictures",
      from: .album(uid: Fixtures.bob, gid: 0)
    ) { _ in },
    CauseCase(
      "pictures that may be reached and not listed", .albumTraverse, .limited,
      from: .album(mode: 0o711, uid: Fixtures.bob, gid: 0)
    ) { _ in },
    CauseCase(
      "a unit with ProtectHome", .unitProtectHome, .denied,
      command: "mkdir -p /etc/systemd/system/gallery.service.d", from: .album()
    ) {
      $0.node("/home") { $0.mode = 0 }
      $0.facts.access.mounts.append(Mount(at: "/home", fstype: "tmpfs"))
      $0.facts.confinement.unit = "gallery.service"
    },
    CauseCase("a file server that squashes", .nfsIDMap, .denied, .refused, .proven, from: .album())
    {
      $0.facts.access.mounts.append(Mount(at: "/home/alice/Pictures", fstype: "nfs4"))
      $0.check([.read, .write, .search], 13)
    },
    CauseCase(
      "a FUSE file system of another user", .fuseOtherUser, .denied, .refused, .proven,
      from: .album()
    ) {
      var mount = Mount(at: "/home/alice/Pictures", fstype: "fuse.rclone")
      mount.fuse = Mount.FuseOptions(user: Fixtures.bob, allowsOthers: false)
      $0.facts.access.mounts.append(mount)
      $0.check([.read, .write, .search], 13)
    },
    CauseCase(
      "a read-only album", .mountReadOnly, .limited,
      command: "mount -o remount,rw /home/alice", from: .album()
    ) {
      var mount = Mount(at: "/home/alice", fstype: "ext4")
      mount.superblockReadOnly = true
      $0.facts.access.mounts.append(mount)
    },
  ]

  static let unsure: [CauseCase] = [
    CauseCase("a capability that was not raised", .capabilityNotEffective, .notDetermined) {
      $0.facts.access.subject.permitted = [.overrideFileAccess]
    },
    CauseCase(
      "the kernel grants what the model refuses", .unknown, nil, .undetermined,
      .undecided
    ) {
      $0.check([.read, .write], 0)
    },
    CauseCase(
      "the kernel refuses and no layer is known", .unknown, nil, .undetermined,
      .undecided
    ) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 13)
    },
    CauseCase("the list was not observed", .unknown, nil, .undetermined, .undecided) {
      $0.node { $0.unobserved = [.acl] }
    },
  ]

  static let grants: [CauseCase] = [
    CauseCase(
      "granted and checked, with no layer that could refuse", nil, .authorized, .allowed,
      .proven
    ) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
    },
    CauseCase("granted, while Landlock could refuse", nil, .authorized, .allowed, .predicted) {
      $0.join(Fixtures.video)
      $0.facts.confinement.securityModules = ["capability", "landlock"]
      $0.check([.read, .write], 0)
    },
    CauseCase("granted, never checked", nil, .authorized, .allowed, .predicted) {
      $0.join(Fixtures.video)
    },
    CauseCase("one camera of two", nil, .limited, .allowed, .predicted) {
      $0.join(Fixtures.video)
      $0.addCamera(1)
      $0.node("/dev/video1") { $0.gid = 0 }
    },
    CauseCase(
      "undecided by the model, granted by the kernel", nil, .authorized, .allowed,
      .predicted, from: .album()
    ) {
      $0.facts.access.mounts.append(Mount(at: "/home/alice", fstype: "fuse.sshfs"))
      $0.check([.read, .write, .search], 0)
    },
    CauseCase(
      "granted, where the device program cannot be read and the kernel grants", nil, .authorized,
      .allowed, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], 0)
    },
    CauseCase(
      "a device program that cannot be read, and no check", .unknown, nil, .undetermined,
      .undecided
    ) {
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
    },
    CauseCase(
      "a device program that cannot be read, and the kernel refuses with EPERM", .cgroupDevice,
      .restricted, .refused, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], 1)
    },
    CauseCase(
      "SELinux, where the device program cannot be read", .selinux, .restricted, .refused, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.facts.confinement.securityModules = ["capability", "selinux"]
      $0.check([.read, .write], 13)
    },
    CauseCase(
      "refused by modes, where the device program cannot be read", .uaccessNotActive, .denied,
      .refused, .proven, command: join
    ) {
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], 13)
    },
    CauseCase(
      "read by modes, where the device program cannot be read", .modeGroup, .limited, .refused,
      .proven
    ) {
      $0.join(Fixtures.video)
      $0.node { $0.mode = 0o640 }
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], 13)
      $0.check(.read, 0)
    },
    CauseCase(
      "a capability to raise, where the device program cannot be read", .capabilityNotEffective,
      .notDetermined, .refused, .proven
    ) {
      $0.facts.access.subject.permitted = [.overrideFileAccess]
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check([.read, .write], 13)
    },
    CauseCase(
      "an owner that shows as nobody", .usernsUnmapped, .denied, .refused, .proven
    ) {
      $0.node {
        $0.uid = 65534
        $0.gid = 65534
      }
      let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.facts.access.subject.groups = [65534]
      $0.facts.access.subject.unobserved = [.overflowIDs]
      $0.check([.read, .write], 13)
    },
    CauseCase("refused and checked", .uaccessNotActive, .denied, .refused, .proven) {
      $0.check([.read, .write], 13)
    },
  ]
}
