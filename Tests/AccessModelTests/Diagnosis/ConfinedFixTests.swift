import AccessModel
import Testing

/// Fixes for services, containers and virtual machines, which are made where these are started.
@Suite struct `A fix for a confined program` {
  private static let nothing = DeviceCgroup(defaultBehavior: .deny, exceptions: [])

  private static func dropIns(_ explanation: Explanation) -> String {
    explanation.remedies.first?.commands.joined(separator: "\n") ?? ""
  }

  // MARK: - Services

  private func service(
    _ fixtures: inout Fixtures, _ name: String = "serve.service", setting: Bool = true
  ) {
    fixtures.facts.origin = SubjectOrigin(.unit, name: name, source: .manager)
    fixtures.facts.confinement.unit = name
    var service = ServiceFacts()
    if setting {
      service.policies = [.init(unit: name, list: Self.nothing, setting: .closed)]
      fixtures.facts.access.subject.deviceCgroup = Self.nothing
    }
    fixtures.facts.confinement.service = service
    fixtures.facts.devices = []
  }

  @Test(
    arguments: [
      ("/dev/nvidia1", ["/dev/nvidiactl"]), ("/dev/vfio/12", ["/dev/vfio/vfio"]),
      ("/dev/davinci0", ["/dev/davinci_manager", "/dev/devmm_svm", "/dev/hisi_hdc"]),
      ("/dev/ttyS1", []), ("/dev/nvidia-modeset", []),
    ] as [(String, [String])])
  func `of a unit names what programs open together with the node`(
    path: String, companions: [String]
  ) {
    let explanation = Fixtures.camera.with {
      $0.ask(path, mode: 0o666)
      service(&$0)
    }.explain()
    #expect(explanation.cause?.code == .unitPrivateDevices)
    let commands = Self.dropIns(explanation)
    for node in [path] + companions { #expect(commands.contains("'DeviceAllow=\(node) rw'")) }
    #expect(commands.ranges(of: "DeviceAllow=").count == companions.count + 1)
  }

  @Test func `of a unit leaves out a companion that its policy allows`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/nvidia0", mode: 0o666)
      $0.add("/dev/nvidiactl", .characterDevice, mode: 0o666)
      $0.node("/dev/nvidiactl") { $0.rdev = DeviceNumber(major: 195, minor: 255) }
      $0.add("/dev/nvidia-uvm", .characterDevice, mode: 0o666)
      service(&$0)
      $0.facts.confinement.service?.policies[0].list = DeviceCgroup(
        defaultBehavior: .deny,
        exceptions: [
          .init(
            isBlock: false, major: 195, minor: 255, read: true, write: true, makeNode: false)
        ])
    }.explain()
    let commands = Self.dropIns(explanation)
    #expect(!commands.contains("nvidiactl"))
    #expect(commands.contains("'DeviceAllow=/dev/nvidia-uvm rw'"))
  }

  @Test(arguments: [
    ("/dev/serial/by-id/usb-FTDI_A1", "/dev/serial/by-id/usb-FTDI_A1"),
    ("/dev/serial/by-path/pci-0000:00:14.0-usb-0:2:1.0", "/dev/ttyUSB0"),
    ("/dev/ttyUSB0", "/dev/ttyUSB0"),
  ])
  func `of a unit with its own devices binds the name that was asked for`(
    asked: String, bound: String
  ) {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: asked, flags: [.readWrite])
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      service(&$0)
      var device = DeviceFacts(
        node: "/dev/ttyUSB0", sysfsPath: "/sys/devices/usb1/1-2/tty/ttyUSB0", subsystem: "tty",
        kernelName: "ttyUSB0")
      device.bus = "usb"
      device.number = DeviceNumber(major: 188, minor: 0)
      device.links = ["/dev/serial/by-id/usb-FTDI_A1", asked].filter { $0 != device.node }
      $0.facts.devices = [device]
    }.explain()
    #expect(explanation.cause?.code == .unitPrivateDevices)
    let commands = Self.dropIns(explanation)
    #expect(commands.contains("'BindPaths=-\(bound)' 'DeviceAllow=\(bound) rw'"))
    #expect((explanation.remedies.first?.end == .never) == (bound != "/dev/ttyUSB0"))
  }

  @Test(
    arguments: [
      ("/srv/music", [.read, .search], "BindReadOnlyPaths=/srv/music"),
      ("/srv/photos/in", [.read, .write, .search], "BindPaths=/srv/photos/in"),
      ("/dev/ttyACM0", [.read, .write], "BindPaths=-/dev/ttyACM0"),
    ] as [(String, Permissions, String)])
  func `of a unit with another root directory binds the path into it`(
    path: String, wanted: Permissions, line: String
  ) {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.mounts = [Mount(at: "/", fstype: "btrfs")]
      $0.facts.access.nodes.removeAll { $0.path == "/dev" }
      $0.facts.access.request = .access(
        path: path, mode: wanted, effective: true, noFollow: false)
      service(&$0, setting: false)
      $0.facts.confinement.service?.rootDirectory = "/var/lib/machine"
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == .unitRootDirectory)
    #expect(explanation.cause?.summary.contains("/var/lib/machine") == true)
    #expect(Self.dropIns(explanation).contains("'[Service]' '\(line)' >>"))
  }

  @Test func `is not one of the root directory below the machine's own devices`() {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/ttyACM0", flags: [.readWrite])
      service(&$0, setting: false)
      $0.facts.confinement.service?.rootDirectory = "/var/lib/machine"
    }.explain()
    #expect(explanation.cause?.code == .nodeAbsent)
  }

  // MARK: - Containers

  private func contain(_ fixtures: inout Fixtures, in container: String, isAlone: Bool) {
    fixtures.facts.confinement.container = container
    fixtures.facts.access.subject = Subject(uid: 0, gid: 0)
    fixtures.facts.access.subject.effective = [.overrideFileAccess]
    fixtures.facts.access.subject.unobserved = [.deviceCgroup]
    if isAlone {
      fixtures.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      fixtures.facts.access.mounts.append(Mount(at: "/dev/video0", fstype: "devtmpfs"))
    }
  }

  @Test(
    arguments: [
      ("docker", true, "--device=/dev/video0", "restart it"),
      ("podman", true, "--device=/dev/video0", "create another one"),
      ("docker", false, "--device-cgroup-rule='c 81:* rw'", nil),
      ("kubernetes", true, "resources: {limits: {RESOURCE: 1}}", nil),
    ] as [(String, Bool, String?, String?)])
  func `hands a node over as a device where a volume brought it`(
    container: String, isAlone: Bool, option: String?, effect: String?
  ) throws {
    let explanation = Fixtures.camera.with {
      contain(&$0, in: container, isAlone: isAlone)
      $0.check([.read, .write], .notPermitted)
    }.explain()
    #expect(explanation.cause?.code == .cgroupDevice)
    let remedy = try #require(explanation.remedies.first)
    #expect(remedy.options.first == option)
    #expect(remedy.end == .never)
    if let effect {
      #expect(remedy.takesEffect == "when the container is recreated; after each replug, \(effect)")
    }
    let isVolume = explanation.cause?.summary.contains("as a volume") == true
    #expect(isVolume == (isAlone && container != "kubernetes"))
  }

  @Test func `of a system container does not name a group of its own as the one that refuses`() {
    let explanation = Fixtures.camera.with {
      contain(&$0, in: "lxc", isAlone: false)
      $0.facts.confinement.cgroup = "/system.slice/motion.service"
      $0.facts.confinement.unit = "motion.service"
      $0.check([.read, .write], .notPermitted)
    }.explain()
    let summary = explanation.cause?.summary ?? ""
    #expect(!summary.contains("/system.slice"))
    #expect(summary.contains("of the lxc container, or of motion.service in it"))
  }

  @Test(
    arguments: [
      ("lxc-118_</var/lib/lxc>", "6.8.12-15-pve", "dev0: /dev/video0,gid=39"),
      (
        "incus-c1_</var/lib/incus> (enforce)", "6.8.0", "incus config device set NAME DEVICE gid=39"
      ),
      ("lxd-c1_</var/snap/lxd> (enforce)", "6.8.0", "lxc config device set NAME DEVICE gid=39"),
    ])
  func `of a group with another number is the manager's`(
    label: String, release: String, text: String
  ) throws {
    let explanation = Fixtures.camera.with {
      $0.facts.confinement.container = "lxc"
      $0.facts.confinement.label = label
      $0.facts.confinement.kernelRelease = release
      $0.facts.confinement.unit = "motion.service"
      $0.facts.confinement.cgroup = "/system.slice/motion.service"
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      $0.facts.account.groupNames[39] = "video"
      $0.facts.account.groupNames[Fixtures.video] = nil
      $0.join(39)
    }.explain()
    #expect(explanation.cause?.code == .gidMismatch)
    let remedy = try #require(explanation.remedies.first)
    #expect(remedy.commands + remedy.options == [text])
  }

  // MARK: - SELinux

  private static func label(
    _ fixtures: inout Fixtures, container: String, _ type: String, fstype: String = "devtmpfs"
  ) {
    fixtures.facts.confinement.container = container
    fixtures.facts.confinement.securityModules = nil
    fixtures.facts.confinement.label = "system_u:system_r:\(type):s0:c1,c2"
    fixtures.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
    fixtures.facts.access.mounts.append(Mount(at: "/dev/video0", fstype: fstype))
  }

  @Test(
    arguments: [
      ("podman", "container_t", "devtmpfs", true), ("docker", "container_t", "devtmpfs", true),
      ("kubernetes", "container_init_t", "devtmpfs", true),
      ("podman", "spc_t", "devtmpfs", false), ("podman", "container_t", "tmpfs", false),
    ])
  func `says that SELinux has to agree to a node of the host`(
    container: String, type: String, fstype: String, isNode: Bool
  ) throws {
    let explanation = Fixtures.camera.with {
      Self.label(&$0, container: container, type, fstype: fstype)
      $0.check([.read, .write], .permissionDenied)
    }.explain()
    // The group is also missing, and that cause comes first.
    #expect(explanation.cause?.code != .selinux)
    #expect(explanation.furtherCauses.contains { $0.code == .selinux } == isNode)
    let first = try #require(explanation.remedies.first)
    #expect((first.assumes?.contains("container_use_devices") ?? false) == isNode)
  }

  @Test(
    arguments: [
      ("podman", "--security-opt=label=disable"), ("docker", "--security-opt=label=disable"),
      ("kubernetes", "securityContext: {seLinuxOptions: {type: spc_t}}"),
    ])
  func `of SELinux is the host's or the engine's`(container: String, option: String) throws {
    let explanation = Fixtures.camera.with {
      Self.label(&$0, container: container, "container_t")
      $0.join(Fixtures.video)
      $0.check([.read, .write], .permissionDenied)
    }.explain()
    #expect(explanation.cause?.code == .selinux)
    let first = try #require(explanation.remedies.first)
    #expect(first.commands == ["setsebool -P container_use_devices on"])
    #expect(first.title.hasPrefix("On the "))
    #expect(explanation.remedies.dropFirst().first?.options == [option])
    #expect(
      explanation.remedies.allSatisfy { $0.commands.isEmpty || $0.title.hasPrefix("On the ") })
    #expect(explanation.lookups.contains { $0.title.hasPrefix("On the host") })
  }

  // MARK: - AppArmor

  @Test(
    arguments: [
      ("libvirt-3b4e6a1c-0d55 (enforce)", nil, nil, "abstractions/libvirt-qemu"),
      ("/usr/sbin/mosquitto (enforce)", nil, nil, "aa-logprof"),
      ("docker-default (enforce)", "docker", nil, nil), ("cam (complain)", nil, nil, nil),
      ("cam (enforce)", nil, #""/dev/video* rw," (/etc/apparmor.d/cam)"#, nil),
    ] as [(String, String?, String?, String?)])
  func `of a profile that was not read is the profile's`(
    label: String, container: String?, rule: String?, fix: String?
  ) {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.origin = SubjectOrigin(.process, name: "qemu-system-x86")
      $0.facts.confinement.container = container
      $0.facts.confinement.label = label
      $0.facts.confinement.profileRule = rule
      $0.facts.confinement.securityModules = ["apparmor"]
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.contains { $0.code == .appArmor } == (fix != nil))
    let commands = explanation.remedies.first?.commands.joined() ?? ""
    #expect(fix.map(commands.contains) ?? commands.isEmpty)
  }

  // MARK: - User namespaces

  private static func map(_ fixtures: inout Fixtures, groups: [IDMap.Range]) {
    let users = [IDMap.Range(inside: 0, outside: 100_000, length: 65_536)]
    fixtures.facts.access.subject = Subject(uid: 100_000, gid: 100_000)
    fixtures.facts.access.subject.effective = [.overrideFileAccess]
    fixtures.facts.access.subject.unobserved = [.overflowIDs]
    fixtures.facts.access.subject.userNamespace = IDMapping(
      users: IDMap(users), groups: IDMap(groups))
    fixtures.facts.account = AccountFacts(
      user: "root", home: "/root", loginGroups: [100_000])
    fixtures.facts.account.groupNames = [100_000: "root", Fixtures.video: "video"]
    fixtures.node { $0.uid = 65_534 }
  }

  @Test(
    arguments: [
      ("lxc", "motion.service", "SupplementaryGroups=video"), ("docker", nil, "--group-add=44"),
      ("podman", nil, "--group-add=44"),
    ] as [(String, String?, String)], [Errno?.none, .permissionDenied])
  func `is the group where the owner is not mapped`(
    engine: (String, String?, String), errno: Errno?
  ) throws {
    let explanation = Fixtures.camera.with {
      Self.map(
        &$0,
        groups: [
          .init(inside: 0, outside: 100_000, length: 44), .init(inside: 44, outside: 44, length: 1),
        ])
      $0.facts.confinement.container = engine.0
      $0.facts.confinement.unit = engine.1
      if let errno { $0.check([.read, .write], errno) }
    }.explain()
    #expect(explanation.cause?.code == .groupNotMember)
    #expect(explanation.cause?.isProven == false)
    let first = try #require(explanation.remedies.first)
    #expect((first.commands + first.options).joined().contains(engine.2))
  }

  @Test(
    arguments: [
      ("/dev/nvidia0", 195, "NVreg_DeviceFileUID=1000"), ("/dev/hidraw3", 240, nil),
    ] as [(String, UInt32, String?)])
  func `of an engine that keeps no groups is the host's`(
    path: String, major: UInt32, lasting: String?
  ) {
    let explanation = Fixtures.camera.with {
      let map = IDMap([.init(inside: 0, outside: 1000, length: 1)])
      $0.ask(path, mode: 0o660, uid: 65_534, gid: 65_534)
      $0.node(path) { $0.rdev = DeviceNumber(major: major, minor: 0) }
      $0.facts.devices = []
      $0.facts.access.subject = Subject(uid: 1000, gid: 1000)
      $0.facts.access.subject.unobserved = [.overflowIDs]
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.facts.confinement.container = "docker"
      $0.check([.read, .write], .permissionDenied, path: path)
    }.explain()
    #expect(explanation.cause?.code == .usernsUnmapped)
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains("setfacl -m u:1000:rw \(path)"))
    #expect(
      (explanation.remedies.first?.options.first?.contains(lasting ?? "") ?? false)
        == (lasting != nil))
    #expect(explanation.remedies.allSatisfy { $0.title.hasPrefix("On the host") })
  }

  // MARK: - File servers

  @Test(
    arguments: [
      ("docker", nil, "--user=1500:1500"),
      ("kubernetes", nil, "securityContext: {runAsUser: 1500, runAsGroup: 1500}"),
      (nil, "fetch.service", "User=1500"),
    ] as [(String?, String?, String)])
  func `of root whom a file server takes for nobody is the owner`(
    container: String?, unit: String?, text: String
  ) throws {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/share", .directory, mode: 0o755, uid: 1500, gid: 1500)
      $0.facts.access.request = .access(
        path: "/srv/share", mode: [.read, .write, .search], effective: true, noFollow: false)
      $0.facts.access.mounts.append(Mount(at: "/srv/share", fstype: "nfs4"))
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      $0.facts.access.subject.effective = [.overrideFileAccess]
      $0.facts.devices = []
      $0.facts.confinement.container = container
      $0.facts.confinement.unit = unit
      $0.check([.read, .write, .search], .permissionDenied, path: "/srv/share")
    }.explain()
    #expect(explanation.cause?.code == .nfsIDMap)
    #expect(explanation.cause?.summary.contains("root_squash") == true)
    let first = try #require(explanation.remedies.first)
    #expect((first.commands + first.options).joined().contains(text))
  }
}
