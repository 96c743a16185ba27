import AccessModel
import Testing

/// Fixes belong to the place of the setting: a login, the container, or its host.
struct ContainedGroupTests {
  private static func commands(_ explanation: Explanation) -> String {
    explanation.remedies.flatMap { $0.commands + $0.options }.joined(separator: "\n")
  }

  private static func mapped(_ inside: UInt32) -> IDMapping {
    let map = IDMap([.init(inside: inside, outside: 1000, length: 1)])
    return IDMapping(users: map, groups: map)
  }

  @Test(arguments: ["ssh.service", "getty@tty1.service", "lightdm.service", "xrdp-sesman.service"])
  func `a login in the control group of a service gets the group by its account`(unit: String) {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.facts.confinement.unit = unit
      $0.facts.session = SessionFacts(isLogindRunning: false)
    }.explain()
    let commands = Self.commands(explanation)
    #expect(commands.contains("usermod -aG video alice"))
    #expect(!commands.contains("SupplementaryGroups=") && !commands.contains("restart \(unit)"))
  }

  @Test func `a service of the user's manager gets no unit of the system`() {
    let explanation = Fixtures.camera.with {
      $0.untag()
      $0.facts.confinement.unit = "motion.service"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/motion.service"
      $0.facts.session = SessionFacts(isLogindRunning: true)
    }.explain()
    #expect(!Self.commands(explanation).contains("/etc/systemd/system"))
  }

  @Test func `a user in a group for other devices only lacks the membership`() {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "docker"
      $0.join(20)
    }.explain()
    #expect(explanation.cause?.code == .groupNotMember)
    #expect(explanation.cause?.summary.contains("dialout") == false)
  }

  @Test(arguments: ["postdrop", "systemd-journal", "audio"])
  func `a group that has the number by accident gets no members`(name: String) throws {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "lxc"
      $0.facts.confinement.kernelRelease = "6.8.12-4-pve"
      $0.facts.confinement.unit = "motion.service"
      $0.facts.account.groupNames[104] = name
      $0.node { $0.gid = 104 }
      $0.join(Fixtures.video)
    }.explain()
    let cause = try #require(explanation.cause)
    #expect(cause.code == .gidMismatch)
    #expect(cause.summary.contains("only the container calls it \(name)"))
    #expect(explanation.remedies.first?.options == ["dev0: /dev/video0,gid=44"])
    #expect(!Self.commands(explanation).contains("SupplementaryGroups="))
  }

  @Test func `a group that udev inside a system container sets is not left to the manager`() {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "lxc"
      $0.facts.confinement.label = "incus-build_</var/lib/incus>"
      $0.facts.hardware = HardwareFacts()
      $0.facts.hardware?.hasUdevControl = true
      $0.facts.session = SessionFacts(isLogindRunning: true)
    }.explain()
    let commands = Self.commands(explanation)
    #expect(commands.contains("usermod -aG video alice") && !commands.contains("gid="))
  }

  @Test func `a container that kept the groups of an old user manager needs a new one`() {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "podman"
      $0.facts.confinement.cgroup =
        "/user.slice/user-1000.slice/user@1000.service/app.slice/cam.service/libpod-payload-1"
      $0.facts.access.subject.userNamespace = Self.mapped(0)
      $0.facts.access.subject.groups.append(27)
      $0.facts.account.loginGroups = [1000, 27, Fixtures.video]
    }.explain()
    #expect(explanation.cause?.code == .groupNotRefreshed)
    #expect(explanation.remedies.first?.commands == ["systemctl restart user@1000.service"])
    #expect(!Self.commands(explanation).contains("keep-groups"))
  }

  @Test func `a group that the user is in already only lacks bits on the host`() {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "docker"
      $0.node {
        $0.gid = 0
        $0.mode = 0o600
      }
      $0.join(0)
    }.explain()
    let commands = Self.commands(explanation)
    #expect(commands.contains(#"MODE="0660""#) && commands.contains("chmod g+rw /dev/video0"))
    #expect(!commands.contains("GROUP=") && !commands.contains("--group-add"))
  }

  @Test func `a read-only mount is not remounted in a container without CAP_SYS_ADMIN`() {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "docker"
      $0.facts.access.mounts[1].readOnly = true
      $0.facts.access.subject.bounding = []
    }.explain()
    let commands = Self.commands(explanation)
    #expect(!commands.contains("remount") && commands.contains("setfacl -m u:1000:rw /dev/video0"))
    // The entry is on the host's node, so it applies to the host user with that ID.
    let entry = explanation.remedies.first { $0.commands.first?.hasPrefix("setfacl") == true }
    #expect(entry?.excess?.contains("user 1000 of the host") == true)
  }

  @Test func `a device that programs make is not passed by its name`() {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.confinement.container = "docker"
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      var device = DeviceFacts(
        node: "/dev/input/event9", sysfsPath: "/sys/devices/virtual/input/input40/event9",
        subsystem: "input", kernelName: "event9")
      device.number = DeviceNumber(major: 13, minor: 73)
      $0.facts.devices = [device]
      $0.facts.access.request = .open(path: "/dev/input/event9", flags: [.readWrite])
    }.explain()
    #expect(
      explanation.remedies.map(\.options) == [
        ["--volume=/dev/input:/dev/input", "--device-cgroup-rule='c 13:* rw'"]
      ])
  }

  @Test func `a device that only its hidden owner may use is refused by its mode`() {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.ask("/dev/vhost-net", mode: 0o600, uid: 65534, gid: 65534)
      $0.facts.confinement.container = "bubblewrap"
      $0.facts.access.subject.userNamespace = Self.mapped(1000)
      $0.facts.access.subject.unobserved.insert(.overflowIDs)
      $0.check([.read, .write], .permissionDenied)
    }.explain()
    #expect(explanation.cause?.code == .modeOwner)
  }

  @Test func `a home directory is shown as a whole to the account that has it`() {
    let explanation = Fixtures.camera.with {
      $0.facts.kind = nil
      $0.facts.origin = SubjectOrigin(.unit, name: "wiki.service", source: .manager)
      $0.facts.confinement.unit = "wiki.service"
      $0.facts.access.subject = Subject(uid: 990, gid: 990)
      $0.facts.account.home = "/home/wiki"
      var cover = Mount(at: "/home", fstype: "tmpfs")
      cover.readOnly = true
      cover.nodev = true
      cover.noexec = true
      cover.nosuid = true
      $0.facts.access.mounts.append(cover)
      $0.facts.access.nodes.append(
        Node(path: "/home", type: .directory, mode: 0, uid: 0, gid: 0))
      $0.facts.access.request = .open(path: "/home/wiki/conf/local.php", flags: [])
    }.explain()
    #expect(explanation.cause?.code == .unitProtectHome)
    #expect(Self.commands(explanation).contains("'BindPaths=-/home/wiki'"))
  }

  @Test func `a FUSE mount that excludes others refuses without the kernel's answer`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/media", .directory, mode: 0o755, uid: Fixtures.bob, wanted: [.read, .search])
      var mount = Mount(at: "/srv/media", fstype: "fuse.rclone")
      mount.fuse = Mount.FuseOptions(user: Fixtures.bob, allowsOthers: false)
      $0.facts.access.mounts.append(mount)
      $0.facts.confinement.unit = "httpd.service"
      $0.facts.origin = SubjectOrigin(.process, name: "httpd", pid: 7)
    }.explain()
    #expect(explanation.answer == .refused && explanation.cause?.isProven == true)
    #expect(explanation.remedies.map(\.options) == [["-o allow_other,default_permissions"]])
  }
}
