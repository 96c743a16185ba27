import AccessModel

/// Mounts, services, security modules and containers.
extension CauseTests {
  static let layers: [CauseCase] = [
    CauseCase(
      "a nodev mount", .mountNodev, .restricted, .refused, .predicted,
      command: "mount -o remount,bind,dev /srv"
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
      command: "mount -o remount,bind,rw /"
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
      command: "--device-cgroup-rule='c 81:* rw'"
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
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
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
      command: "ausearch -m avc -ts recent | audit2allow -M devaccess"
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
    CauseCase(
      "the node is root's in the container", .containerNoAccess, .denied,
      command: "lxc config device set NAME DEVICE gid=1000"
    ) {
      $0.facts.confinement.container = "lxc"
      $0.node { $0.gid = 0 }
    },
    CauseCase(
      "the container was started without the device", .nodeHidden, nil, .absent,
      command: "--volume=/dev:/dev"
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
      $0.facts.confinement.unit = "user@1000.service"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/"
        + "app-flatpak-org.example.Cam-4711.scope"
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
      command: "--ignore=novideo"
    ) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.container = "firejail"
    },
    CauseCase("a node that was removed, seen by a service", .nodeAbsent, nil, .absent) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.unit = "app.service"
    },
    CauseCase("a folder of nodes that is covered", .nodeHidden, nil, .absent) {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.access.mounts.append(Mount(at: "/dev/snd", fstype: "tmpfs"))
      $0.device { $0.node = "/dev/snd/pcmC0D0c" }
      $0.facts.confinement.unit = "app.service"
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/snd/pcmC0D0c", flags: [.readWrite])
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
}
