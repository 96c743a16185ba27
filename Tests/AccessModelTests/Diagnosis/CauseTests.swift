import AccessModel
import Testing

/// Every cause that facts can lead to, with its status, certainty and first remedy.
struct CauseTests {
  static let entry = "setfacl -m u:alice:rw /dev/video0"

  static let groups: [CauseCase] = [
    CauseCase(
      "not in the group, where no tag could give it", .groupNotMember, .denied, command: entry
    ) {
      $0.untag()
    },
    CauseCase(
      "in the database but not in this process", .groupNotRefreshed, .denied,
      command: "newgrp video"
    ) {
      $0.join(20)
      $0.facts.account.loginGroups = [Fixtures.alice, 20, Fixtures.video]
    },
    CauseCase(
      "groups dropped by a launcher", .groupsDropped, .denied, command: "newgrp video"
    ) {
      $0.facts.account.loginGroups = [Fixtures.alice, 20, 29, Fixtures.video]
    },
    CauseCase(
      "in the group, whose bits lack write", .modeGroup, .limited, command: entry
    ) {
      $0.join(Fixtures.video)
      $0.node { $0.mode = 0o640 }
    },
    CauseCase(
      "a service that was not restarted since", .groupNotRefreshed, .denied,
      command: "systemctl restart motion.service"
    ) {
      $0.join(20)
      $0.facts.account.loginGroups?.append(Fixtures.video)
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase(
      "the owner's own bits lack write", .modeOwner, .limited, command: "chmod u+rw /dev/video0"
    ) {
      $0.node {
        $0.uid = Fixtures.alice
        $0.mode = 0o466
      }
    },
    CauseCase(
      "root's alone, where udev is not running", .modeOwner, .denied, command: entry
    ) {
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
      $0.device {
        $0.isInitialized = false
        $0.tags = []
        $0.currentTags = []
      }
    },
  ]

  static let lists: [CauseCase] = [
    CauseCase(
      "an entry that the mask cuts", .aclMask, .limited,
      command: "setfacl -m m::rw /dev/video0"
    ) {
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])], mask: .read)
    },
    CauseCase(
      "an entry that an empty mask makes the kernel skip", .aclMask, .denied,
      command: "setfacl -m m::rw /dev/video0"
    ) {
      $0.list([ACLEntry(.user, Fixtures.alice, [.read, .write])], mask: [])
    },
    CauseCase(
      "a named entry that beats the group", .aclNamedEntry, .limited, command: entry
    ) {
      $0.join(Fixtures.video)
      $0.list([ACLEntry(.user, Fixtures.alice, .read)])
    },
    CauseCase(
      "rights of two groups that do not add up", .aclGroupEntry, .limited, command: entry
    ) {
      $0.join(29)
      $0.join(20)
      $0.list([ACLEntry(.group, 20, .read), ACLEntry(.group, 29, .write)], group: [])
    },
    CauseCase(
      "the owning group's entry is empty although ls shows rw", .aclGroupEntry, .denied,
      command: entry
    ) {
      $0.join(Fixtures.video)
      $0.list([ACLEntry(.user, Fixtures.bob, [.read, .write])], group: [])
    },
    CauseCase(
      "active on the seat and no entry", .aclAbsent, .denied,
      command: "udevadm trigger --name-match=/dev/video0"
    ) {
      $0.session("2", isActive: true, active: Fixtures.alice)
    },
  ]

  static let seats: [CauseCase] = [
    CauseCase("a remote session", .uaccessNotActive, .denied, command: entry) {
      $0.session("7", seat: nil, isActive: true, isRemote: true)
    },
    CauseCase("a service", .uaccessNotActive, .denied, command: entry) {
      $0.session(nil, seat: nil)
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase("another seat", .uaccessNotActive, .denied, command: entry) {
      $0.session("3", seat: "seat1", isActive: true)
    },
    CauseCase(
      "an inactive console", .uaccessNotActive, .denied, command: "loginctl activate 4"
    ) {
      $0.session("4")
    },
    CauseCase("no logind", .uaccessNotActive, .denied, command: entry) {
      $0.facts.session = SessionFacts(isLogindRunning: false)
    },
    CauseCase(
      "the tag is gone while alice is active", .uaccessNotTagged, .denied,
      command: """
        printf '%s\\n' 'SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", \
        ATTRS{idProduct}=="0825", TAG+="uaccess"' > /etc/udev/rules.d/70-devaccess-uaccess.rules
        """
    ) {
      $0.device { $0.currentTags = ["seat"] }
      $0.session("2", isActive: true, active: Fixtures.alice)
    },
    CauseCase(
      "udev has not finished", .bootRace, .denied,
      command: "udevadm wait --settle --timeout=10 /dev/video0"
    ) {
      $0.addCamera(1)
      $0.node("/dev/video1") { $0.mode = 0 }
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
      $0.device { $0.isInitialized = false }
    },
  ]

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
    CauseCase(
      "a virtual camera that nobody feeds", .loopbackCaps, nil, .absent,
      command: "modprobe -r v4l2loopback"
    ) {
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
      "a program on a noexec mount", .mountNoexec, .restricted, command: "mount -o remount,exec /"
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

  static let layers: [CauseCase] = [
    CauseCase(
      "a nodev mount", .mountNodev, .restricted, .refused, .predicted,
      command: "mount -o remount,dev /srv"
    ) {
      $0.ask("/srv/video9", mode: 0o666)
      var mount = Mount(at: "/srv", fstype: "tmpfs")
      mount.nodev = true
      $0.facts.access.mounts.append(mount)
      $0.check([.read, .write], 0)
    },
    CauseCase("a superblock of a user namespace", .mountNodev, .restricted) {
      $0.ask("/srv/video9", mode: 0o666)
      var mount = Mount(at: "/srv", fstype: "tmpfs")
      mount.superblockNodev = true
      $0.facts.access.mounts.append(mount)
    },
    CauseCase(
      "a read-only file system", .mountReadOnly, .limited,
      command: "mount -o remount,rw /"
    ) {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.facts.access.mounts[0].readOnly = true
    },
    CauseCase("an immutable file", .fileImmutable, .limited, command: "chattr -i /srv/file") {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.node("/srv/file") { $0.flags = [.immutable] }
    },
    CauseCase("an append-only file", .fileAppendOnly, .limited, command: "chattr -a /srv/file") {
      $0.ask("/srv/file", .regular, mode: 0o666)
      $0.node("/srv/file") { $0.flags = [.append] }
    },
    CauseCase(
      "the device control group", .cgroupDevice, .restricted, .refused, .proven,
      command: "--device=/dev/video0"
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.container = "docker"
      $0.check([.read, .write], 1)
    },
    CauseCase(
      "the device control group lets reading pass", .cgroupDevice, .limited, .refused,
      .proven
    ) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 1)
      $0.check(.read, 0)
    },
    CauseCase("a version 1 device list", .cgroupDevice, .restricted) {
      $0.join(Fixtures.video)
      $0.facts.access.subject.deviceCgroup = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
    },
    CauseCase(
      "the device policy of a unit", .unitPrivateDevices, .restricted, .refused, .proven,
      command: "mkdir -p /etc/systemd/system/motion.service.d"
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.unit = "motion.service"
      $0.check([.read, .write], 1)
    },
    CauseCase("a unit with a /dev of its own", .unitPrivateDevices, nil, .absent) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase(
      "a unit with a /dev of its own, asked by path", .unitPrivateDevices, nil, .absent,
      command: "mkdir -p /etc/systemd/system/motion.service.d"
    ) {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase(
      "no node in a container, asked by path", .nodeAbsent, nil, .absent,
      command: "--device=/dev/video0"
    ) {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.confinement.container = "docker"
    },
    CauseCase(
      "a unit that covers the node", .unitInaccessiblePath, .restricted, .refused,
      command: "systemctl cat motion.service"
    ) {
      $0.node {
        $0.mode = 0
        $0.gid = 0
        $0.rdev = DeviceNumber(major: 0, minor: 0)
      }
      var mount = Mount(at: "/dev/video0", fstype: "tmpfs")
      mount.nodev = true
      $0.facts.access.mounts.append(mount)
      $0.facts.confinement.unit = "motion.service"
    },
    CauseCase(
      "a dynamic user", .unitDynamicUser, .denied,
      command: "mkdir -p /etc/systemd/system/cam.service.d"
    ) {
      $0.facts.access.subject = Subject(uid: 62000, gid: 62000)
      $0.facts.account = AccountFacts()
      $0.facts.account.groupNames = [Fixtures.video: "video"]
      $0.facts.confinement.unit = "cam.service"
    },
    CauseCase(
      "SELinux", .selinux, .restricted, .refused, .proven,
      command: "ausearch -m avc -ts recent"
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.securityModules = ["capability", "selinux"]
      $0.check([.read, .write], 13)
    },
  ]

  static let containers: [CauseCase] = [
    CauseCase(
      "in a container and not in the group", .groupNotMember, .denied, command: "--group-add=44"
    ) {
      $0.facts.confinement.container = "docker"
    },
    CauseCase("the group has another number", .gidMismatch, .denied, command: "--group-add=44") {
      $0.facts.confinement.container = "docker"
      $0.facts.account.groupNames[Fixtures.video] = "irc"
      $0.facts.account.groupNames[39] = "video"
      $0.join(39)
    },
    CauseCase("the node is root's in the container", .containerNoAccess, .denied, command: entry) {
      $0.facts.confinement.container = "lxc"
      $0.node { $0.gid = 0 }
    },
    CauseCase(
      "the container was started without the device", .nodeHidden, nil, .absent,
      command: "--device=/dev/video0"
    ) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.container = "docker"
    },
    CauseCase(
      "a flatpak without devices", .flatpakDevice, nil, .absent,
      command: "flatpak override --user --device=all org.example.Cam"
    ) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.container = "flatpak"
      $0.facts.confinement.unit = "app-flatpak-org.example.Cam-4711.scope"
    },
    CauseCase(
      "a snap without the plug", .snapInterface, .restricted, .refused, .proven,
      command: "snap connect cam:camera"
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.container = "snap"
      $0.facts.confinement.label = "snap.cam.app (enforce)"
      $0.check([.read, .write], 1)
    },
    CauseCase(
      "a sandbox with its own /dev", .sandboxPrivateDev, nil, .absent,
      command: "--ignore=private-dev --ignore=novideo"
    ) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.container = "firejail"
    },
    CauseCase(
      "an owner that the namespace does not map", .usernsUnmapped, .denied,
      command: "setfacl -m u:1000:rw /dev/video0"
    ) {
      let map = IDMap([IDMap.Range(inside: 0, outside: Fixtures.alice, length: 1)])
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.facts.access.subject.effective = [.overrideFileAccess, .readAndSearch]
      $0.facts.access.subject.permitted = [.overrideFileAccess, .readAndSearch]
    },
    CauseCase("an owner that the mount does not map", .usernsUnmapped, .limited) {
      $0.ask("/srv/file", .regular, mode: 0o666)
      let map = IDMap([IDMap.Range(inside: 5000, outside: 5000, length: 1)])
      $0.facts.access.mounts[0].idmap = IDMapping(users: map, groups: map)
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
    CauseCase("a file server that squashes", .nfsIDMap, nil, .refused, .proven, from: .album()) {
      $0.facts.access.mounts.append(Mount(at: "/home/alice/Pictures", fstype: "nfs4"))
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
      .refused, .proven, command: entry
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
      "an owner that shows as nobody", .usernsUnmapped, nil, .refused, .proven
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

  static let all = groups + lists + seats + paths + layers + containers + albums + unsure + grants

  @Test(arguments: all)
  func `facts lead to their cause, status and first remedy`(_ row: CauseCase) {
    let explanation = row.facts.explain()
    let said = Comment(
      rawValue: "\(explanation.cause?.summary ?? "no cause") \(explanation.evidence)")
    #expect(explanation.cause?.code == row.cause, said)
    #expect(explanation.status == row.status, said)
    #expect(explanation.answer == row.answer, said)
    #expect(explanation.certainty == row.certainty, said)
    if let command = row.command {
      let first = explanation.remedies.lazy.compactMap(\.commands.first).first
      #expect(first == command, said)
    }
  }
}
