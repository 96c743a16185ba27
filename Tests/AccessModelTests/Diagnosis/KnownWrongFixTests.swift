import AccessModel
import Testing

/// Fixes that an earlier version printed and that were wrong, one class per test.
struct KnownWrongFixTests {
  private func commands(_ fixture: Fixtures) -> [String] {
    fixture.explain().remedies.flatMap(\.commands)
  }

  @Test(arguments: [true, false])
  func `others get no bits where a group or an entry decides`(isList: Bool) {
    let fixture = Fixtures.camera.with {
      $0.ask("/srv/cam/picture", .regular, mode: 0o644)
      $0.add("/srv/cam", .directory, mode: 0o705, gid: Fixtures.video)
      $0.join(Fixtures.video)
      guard isList else { return }
      $0.node("/srv/cam") {
        $0.mode = 0o755
        $0.acl = [
          ACLEntry(.user, nil, [.read, .write, .search]), ACLEntry(.user, Fixtures.alice, []),
          ACLEntry(.group, nil, [.read, .search]), ACLEntry(.mask, nil, [.read, .search]),
          ACLEntry(.other, nil, [.read, .search]),
        ]
      }
      $0.facts.access.request = .open(path: "/srv/cam/picture", flags: [.readOnly])
    }
    #expect(fixture.explain().answer == .refused)
    #expect(!commands(fixture).isEmpty)
    #expect(commands(fixture).allSatisfy { !$0.contains("o+") && !$0.contains("o::") })
  }

  @Test
  func `a directory on the way is opened for searching, and the file for what was asked`() {
    let fixture = Fixtures.camera.with {
      $0.ask("/srv/cam/picture", .regular, mode: 0o600)
      $0.add("/srv/cam", .directory, mode: 0o700)
    }
    let first = fixture.explain().remedies.first
    #expect(
      first?.commands == [
        "setfacl -m u:alice:x /srv/cam", "setfacl -m u:alice:rw /srv/cam/picture",
      ]
    )
  }

  @Test
  func `no fix undoes another, and none repeats a step`() {
    for remedy in RemedyTests.everything.flatMap({ $0.explain().remedies }) {
      #expect(Set(remedy.commands).count == remedy.commands.count, "\(remedy.commands)")
      let edited = remedy.changes.compactMap { change in
        if case .setEntries(let path, _) = change { path } else { nil }
      }
      #expect(Set(edited).count == edited.count, "\(remedy.commands)")
    }
  }

  @Test
  func `a system file that a variable calls the pictures keeps its mode`() {
    var fixture = Fixtures.album()
    fixture.facts.album = AlbumFacts(path: "/etc/cups", source: .environment)
    fixture.add("/etc/cups", .directory, mode: 0o700)
    fixture.facts.access.request = Question(.kind(.album)).request(
      for: "/etc/cups", type: .directory)
    let explanation = fixture.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.flatMap(\.commands).isEmpty)
    #expect(explanation.note?.contains("XDG_PICTURES_DIR") == true)
  }

  @Test
  func `a device rule of a unit names a node, never a directory`() {
    let fixture = Fixtures.camera.with {
      $0.ask("/dev/snd", .directory, mode: 0o755)
      $0.facts.confinement.unit = "music.service"
      $0.check([.read], 1)
    }
    #expect(commands(fixture).allSatisfy { !$0.contains("DeviceAllow=/dev/snd ") })
    let all = RemedyTests.everything.filter { facts in
      facts.access.object(at: facts.access.request.path)?.type == .directory
    }
    #expect(!all.isEmpty)
    for facts in all {
      for command in facts.explain().remedies.flatMap(\.commands) {
        #expect(!command.contains("DeviceAllow="), "\(command)")
      }
    }
  }

  @Test(arguments: [
    HardwareFacts.Module(name: "uvcvideo", isLoaded: false, isInstalled: false),
    HardwareFacts.Module(name: "gspca_main", isLoaded: false, isInstalled: true),
  ])
  func `no module is loaded that is missing or drives something else`(
    module: HardwareFacts.Module
  ) {
    let explanation = Fixtures.camera.with { $0.lackDriver(module) }.explain()
    #expect(explanation.remedies.flatMap(\.commands).allSatisfy { !$0.hasPrefix("modprobe") })
    #expect(explanation.answer == .absent)
  }

  @Test
  func `an option for one node of a device that comes and goes says how long it holds`() {
    let fixture = Fixtures.camera.with {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.confinement.container = "docker"
    }
    let passed = fixture.explain().remedies.filter { $0.options.contains("--device=/dev/video0") }
    #expect(!passed.isEmpty)
    #expect(passed.allSatisfy { $0.lasts?.contains("replugged") == true })
  }

  /// Returns the options that give a container a node that Docker's device policy refuses.
  private static func options(for path: String) -> [String] {
    Fixtures.camera.with {
      $0.ask(path, mode: 0o666)
      $0.facts.devices[0].node = path
      $0.facts.confinement.container = "docker"
      $0.check([.read, .write], 1)
    }.explain().remedies.flatMap(\.options)
  }

  @Test
  func `a node of the USB bus, whose number changes, is not passed by its number`() {
    let path = "/dev/bus/usb/001/009"
    let options = Self.options(for: path)
    #expect(options.contains("--device-cgroup-rule='c 189:* rw'"))
    #expect(options.allSatisfy { !$0.contains("001/009") })
  }

  @Test(arguments: [":", ",", ":\u{301}", ",\u{20D7}"])
  func `no option names a node whose path would be read as two`(sign: String) {
    let path = "/dev/video\(sign)0"
    let options = Self.options(for: path)
    #expect(options.allSatisfy { !$0.utf8.starts(with: "--device=".utf8) })
  }

  @Test(arguments: [65534, 4242])
  func `no number of a group is joined that the namespace does not map`(group: UInt32) {
    let fixture = Fixtures.camera.with {
      $0.facts.confinement.container = "docker"
      let map = IDMap([IDMap.Range(inside: 0, outside: 100_000, length: 1000)])
      $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
      $0.node { $0.gid = group }
    }
    for remedy in fixture.explain().remedies {
      #expect(remedy.options.allSatisfy { !$0.contains("--group-add=\(group)") })
      #expect(remedy.commands.allSatisfy { !$0.contains("usermod") })
    }
  }

  @Test(arguments: ["docker", "podman", "lxc", "kubernetes", "systemd-nspawn"])
  func `the advice is for the engine in use, in words of its own`(engine: String) {
    let fixture = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.container = engine
      $0.check([.read, .write], 1)
    }
    let remedies = fixture.explain().remedies
    #expect(!remedies.isEmpty)
    let text = remedies.map { "\($0.title) \($0.options) \($0.commands)" }.joined()
    #expect(text.contains("podman") == (engine == "podman" && text.contains("podman")))
    #expect(text.contains("--device=") == ["docker", "podman"].contains(engine))
    #expect(text.contains("lxc.cgroup2.devices.allow = c 81:0 rw") == (engine == "lxc"))
    #expect(text.contains("device plugin") == (engine == "kubernetes"))
    #expect(text.contains("DeviceAllow=/dev/video0 rw") == (engine == "systemd-nspawn"))
  }

  @Test
  func `options of an engine are no commands`() {
    for remedy in RemedyTests.everything.flatMap({ $0.explain().remedies }) {
      for command in remedy.commands {
        #expect(!command.hasPrefix("-") && !command.hasPrefix("lxc."), "\(command)")
      }
    }
  }

  @Test(arguments: ["docker", "kubernetes", "lxc"])
  func `a volume is made writable where the container is started`(engine: String) {
    let fixture = Fixtures.camera.with {
      $0.ask("/data/file", .regular, mode: 0o666)
      var mount = Mount(at: "/data", fstype: "ext4")
      mount.readOnly = true
      $0.facts.access.mounts.append(mount)
      $0.facts.confinement.container = engine
    }
    let remedies = fixture.explain().remedies
    #expect(remedies.contains { $0.title.contains("/data writable") && $0.actor == .packager })
    #expect(remedies.flatMap(\.commands).allSatisfy { !$0.hasPrefix("mount ") })
  }

  /// Devices with few facts, and the match that a rule can use for each.
  static let sparse: [(DeviceFacts, String)] = [
    (
      device(
        "hidraw", "hidraw1",
        "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-5/1-5:1.1/0003:361D:0100.0002/hidraw/hidraw1"),
      #"KERNELS=="0003:361D:0100.*""#
    ),
    (device("misc", "kvm", "/sys/devices/virtual/misc/kvm"), #"KERNEL=="kvm""#),
    (
      device("usb", "1-6", "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-6", vendor: "28de"),
      #"ATTR{idVendor}=="28de", KERNEL=="1-6""#
    ),
    (
      device("drm", "renderD128", "/sys/devices/pci0000:00/0000:00:02.0/drm/renderD128"),
      #"KERNEL=="renderD*", KERNELS=="0000:00:02.0""#
    ),
  ]

  private static func device(
    _ subsystem: String, _ name: String, _ path: String, vendor: String? = nil
  ) -> DeviceFacts {
    var device = DeviceFacts(
      node: "/dev/\(name)", sysfsPath: path, subsystem: subsystem, kernelName: name)
    device.properties["ID_VENDOR_ID"] = vendor
    return device
  }

  @Test(arguments: sparse)
  func `a rule never opens a whole subsystem, nor whatever gets the number`(
    sparse: (device: DeviceFacts, match: String)
  ) throws {
    let fixture = Fixtures.camera.with {
      $0.ask(sparse.device.node ?? "", mode: 0o600)
      $0.facts.devices = [sparse.device]
      $0.session("2", isActive: true, active: Fixtures.alice)
    }
    let rules = commands(fixture).filter { $0.contains("rules.d") }
    #expect(!rules.isEmpty)
    for rule in rules { #expect(rule.contains(sparse.match), "\(rule)") }
  }

  @Test
  func `a rule sorts before logind's, and one that adds an entry behind it`() {
    for facts in RemedyTests.everything {
      for command in facts.explain().remedies.flatMap(\.commands)
      where command.contains("/etc/udev/rules.d/") {
        let file = command.split(separator: "/").last ?? ""
        // logind's rule resets the list, so an entry must be added after it.
        let addsEntry = command.contains("setfacl -m")
        let isPlaced = addsEntry ? file > "73-seat-late.rules" : file < "73-seat-late.rules"
        #expect(file > "71-seat.rules" && isPlaced, "\(command)")
      }
    }
  }

  @Test
  func `no store is asked about an application without a name`() {
    for facts in RemedyTests.everything {
      for command in facts.explain().remedies.flatMap(\.commands)
      where command.contains("flatpak permission") || command.contains("flatpak override") {
        #expect(!command.contains("''"), "\(command)")
        #expect(command.split(separator: " ").contains { $0.contains(".") }, "\(command)")
      }
    }
  }

  @Test
  func `the camera portal is offered for cameras alone`() {
    let fixture = Fixtures.camera.with {
      $0.ask("/dev/hidraw2", mode: 0o660)
      $0.facts.kind = "hidraw"
      $0.facts.devices = []
      $0.facts.access.nodes.removeAll { $0.path == "/dev/hidraw2" }
      $0.facts.confinement.container = "flatpak"
      $0.facts.confinement.cgroup = "/user.slice/app-flatpak-org.example.Cam-4711.scope"
    }
    #expect(fixture.explain().remedies.allSatisfy { !$0.title.contains("camera portal") })
  }

  @Test
  func `an entry on a node of udev's never claims to stay`() {
    for facts in RemedyTests.everything {
      for remedy in facts.explain().remedies
      where remedy.commands.contains(where: {
        $0.hasPrefix("setfacl") && $0.contains(" /dev/") && !$0.contains("/dev/shm")
      }) {
        let object = facts.access.object(at: facts.access.request.path)
        guard object?.type.isDevice == true else { continue }
        #expect(!remedy.end.isLasting, "\(remedy.commands)")
        let ends = ["udevadm trigger", "replugged", "is recreated", "session on the seat"]
        let words = remedy.lasts ?? ""
        #expect(ends.contains(where: words.contains), "\(remedy.commands): \(words)")
      }
    }
  }

  @Test
  func `a proven cause has a fix, a look-up or a reason for none`() {
    for facts in RemedyTests.everything {
      let explanation = facts.explain()
      guard let cause = explanation.cause, cause.isProven, explanation.answer == .refused
      else { continue }
      #expect(
        !explanation.remedies.isEmpty || !explanation.lookups.isEmpty || explanation.note != nil,
        "\(cause.code) \(cause.summary)")
    }
  }

  @Test(arguments: ["/etc/shadow", "/etc/gshadow", "/etc/ssh/ssh_host_rsa_key", "/dev/mem"])
  func `a secret is left closed, with what it is`(path: String) {
    let explanation = Fixtures.camera.with {
      $0.ask(path, path.hasPrefix("/dev") ? .characterDevice : .regular, mode: 0o640, gid: 42)
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.remedies.isEmpty)
    #expect(explanation.note?.hasSuffix("Do not grant access.") == true)
  }
  @Test func `a secret that a container lacks is not handed to it`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/mem", mode: 0o640)
      $0.facts.access.nodes.removeAll { $0.path == "/dev/mem" }
      $0.facts.devices = []
      $0.contain("docker")
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.remedies.isEmpty)
    #expect(explanation.note?.hasPrefix("/dev/mem exposes the memory of every program") == true)
  }

  @Test(arguments: [
    ("/dev/vda", "/dev/vda1", true), ("/dev/vda1", "/dev/vda1", true),
    ("/dev/nvme0n1", "/dev/nvme0n1p2", true), ("/dev/vda", "/dev/vdab1", false),
    ("/dev/vda1", "/dev/vda11", false), ("/dev/vdb", "/dev/vda1", false),
  ])
  func `a disk with a mounted filesystem is said to be one`(
    disk: String, source: String, isMounted: Bool
  ) {
    let fixture = Fixtures.camera.with {
      $0.facts.access.mounts[0].source = source
      $0.ask(disk, .blockDevice, mode: 0o660, gid: 6)
      $0.facts.devices = []
    }
    let explanation = fixture.explain()
    #expect(explanation.remedies.isEmpty)
    let note =
      "\(disk) holds the filesystem that is mounted at /: a user who can write to it can become root."
    #expect(explanation.note?.hasPrefix(note) == isMounted)
  }
}
