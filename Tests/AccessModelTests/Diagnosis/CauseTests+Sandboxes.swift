import AccessModel
import Testing

extension CauseTests {
  static let sandboxCases: [CauseCase] = [
    CauseCase(
      "a sandbox without udev's database", nil, .authorized, .allowed,
      command: "--ro-bind /run/udev /run/udev"
    ) { hide(&$0, "bubblewrap") },
    CauseCase(
      "an album on a drive that was mounted later", .albumDirectoryMissing, nil, .absent,
      from: .album()
    ) {
      $0.facts.confinement.container = "podman"
      $0.facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
    },
    CauseCase(
      "a drive that was mounted after the container", .mountPropagation, nil, .absent,
      command: "--volume=SOURCE:/media:rslave"
    ) { missDrive(&$0) },
    CauseCase(
      "an automounter outside", .mountPropagation, .restricted, .refused, .proven,
      command: "--volume=SOURCE:/net:rslave"
    ) { automount(&$0) },
  ]

  /// Makes the camera accessible to alice, in a container that lacks udev's database.
  private static func hide(_ fixture: inout Fixtures, _ container: String) {
    fixture.join(Fixtures.video)
    fixture.facts.confinement.container = container
    fixture.facts.confinement.hasUdevDatabase = false
  }

  /// Asks for a path below a host directory that is a private mount in the container.
  private static func missDrive(_ fixture: inout Fixtures, container: String? = "docker") {
    fixture.removeDevices()
    fixture.facts.kind = nil
    fixture.add("/media", .directory)
    fixture.facts.access.mounts.append(Mount(at: "/media", fstype: "ext4"))
    fixture.facts.access.request = Question(.path("/media/drive/a.jpg"))
      .request(for: "/media/drive/a.jpg", type: nil)
    fixture.facts.confinement.container = container
    fixture.facts.confinement.privateMounts = ["/media"]
  }

  /// Asks for a file on a mount that an automounter makes, but not in the container's namespace.
  private static func automount(_ fixture: inout Fixtures) {
    fixture.removeDevices()
    fixture.ask("/net/host/a.jpg", .regular, mode: 0, wanted: .read)
    fixture.node("/net/host/a.jpg") { $0.unobserved = [.status, .acl, .flags] }
    fixture.facts.access.mounts.append(Mount(at: "/net", fstype: "autofs"))
    fixture.facts.confinement.container = "docker"
    fixture.facts.confinement.privateMounts = ["/net"]
    fixture.check(.read, .tooManyLinks)
  }

  private static func explanation(_ change: (inout Fixtures) -> Void) throws -> Explanation {
    let facts = Fixtures.camera.with(change).facts
    // The facts are encoded and decoded first, which must not change the answer.
    return try JSON.decode(AccessFacts.self, JSON.encode(facts)).explain()
  }

  // MARK: - udev's database

  @Test(
    arguments: [
      ("bubblewrap", ["--ro-bind /run/udev /run/udev"]),
      ("docker", ["--volume=/run/udev:/run/udev:ro", "--network=host"]),
      ("podman", ["--volume=/run/udev:/run/udev:ro", "--network=host"]),
      ("systemd-nspawn", ["--bind-ro=/run/udev"]),
      ("lxc", ["lxc.mount.entry = /run/udev run/udev none bind,ro,create=dir"]),
      ("kubernetes", ["hostNetwork: true"]),
    ])
  func `udev's database and its events are shown in the words of the tool`(
    container: String, options: [String]
  ) throws {
    let explanation = try Self.explanation { Self.hide(&$0, container) }
    #expect(explanation.answer == .allowed)
    let cause = try #require(explanation.furtherCauses.first { $0.code == .udevDatabaseHidden })
    #expect(!cause.isProven && cause.at == "/dev/video0")
    #expect(explanation.remedies.flatMap(\.options) == options)
  }

  @Test func `a flatpak gets the database as a directory, which no permission for devices gives`()
    throws
  {
    let explanation = try Self.explanation {
      Self.hide(&$0, "flatpak")
      $0.facts.confinement.application = ApplicationFacts(
        name: "org.example.Cam", devices: ["all"])
    }
    #expect(
      explanation.remedies.flatMap(\.commands) == [
        "flatpak override --user --filesystem=/run/udev:ro org.example.Cam"
      ])
  }

  @Test func `the database is no matter where it is seen, or where nothing is listed by it`() throws
  {
    let seen: [Bool?] = [true, nil]
    for value in seen {
      let explanation = try Self.explanation {
        Self.hide(&$0, "podman")
        $0.facts.confinement.hasUdevDatabase = value
      }
      #expect(!explanation.furtherCauses.contains { $0.code == .udevDatabaseHidden })
    }
    let refused = try Self.explanation {
      Self.hide(&$0, "podman")
      $0.facts.access.subject.groups = []
    }
    #expect(!(refused.furtherCauses.contains { $0.code == .udevDatabaseHidden }))
    let serial = try Self.explanation {
      Self.hide(&$0, "podman")
      $0.ask("/dev/ttyUSB0", mode: 0o666)
      $0.facts.devices = [
        DeviceFacts(
          node: "/dev/ttyUSB0", sysfsPath: "/sys/devices/x/tty/ttyUSB0", subsystem: "tty",
          kernelName: "ttyUSB0")
      ]
    }
    #expect(!serial.furtherCauses.contains { $0.code == .udevDatabaseHidden })
  }

  @Test(arguments: [
    ("6.8.12-4-pve", "ext4", ["lxc.mount.entry: /run/udev run/udev none bind,ro,create=dir"], []),
    ("6.1.0", "lxd/x", [], ["lxc config device add NAME udev disk"]),
    ("6.1.0", "incus/x", [], ["incus config device add NAME udev disk"]),
  ])
  func `the manager of a system container has its own form for the database`(
    kernel: String, source: String, options: [String], commands: [String]
  ) throws {
    let explanation = try Self.explanation {
      Self.hide(&$0, "lxc")
      $0.facts.confinement.kernelRelease = kernel
      $0.facts.access.mounts[0].source = source
    }
    let remedy = try #require(explanation.remedies.first)
    #expect(remedy.options == options)
    #expect(zip(remedy.commands, commands).allSatisfy { $0.hasPrefix($1) })
    #expect(remedy.commands.count == commands.count)
  }

  @Test(arguments: [
    ("/dev/ttyUSB0", "tty", "flatpak", true), ("/dev/ttyACM0", "tty", "bubblewrap", true),
    ("/dev/ttyUSB0", "tty", "docker", false), ("/dev/dri/renderD128", "drm", "flatpak", false),
    ("/dev/dri/card0", "drm", "bubblewrap", true),
  ])
  func `what is listed by udev's database depends on the device and on who runs the program`(
    path: String, subsystem: String, container: String, isListed: Bool
  ) throws {
    let explanation = try Self.explanation {
      $0.askDevice(path, subsystem: subsystem, mode: 0o666, isInitialized: false)
      $0.facts.confinement.container = container
      $0.facts.confinement.hasUdevDatabase = false
    }
    #expect(explanation.answer == .allowed && explanation.cause == nil)
    #expect(
      explanation.furtherCauses.contains { $0.code == .udevDatabaseHidden } == isListed)
  }

  // MARK: - Groups that firejail removes

  @Test(arguments: [
    ("/dev/video0", "video4linux", false, ["--ignore=nogroups"]),
    ("/dev/snd/pcmC0D0c", "sound", false, ["--ignore=nogroups"]),
    ("/dev/kvm", "misc", false, ["--ignore=noroot", "--ignore=nogroups"]),
    ("/dev/ttyUSB0", "tty", false, ["--ignore=noroot", "--ignore=nogroups"]),
    ("/dev/kvm", "misc", true, ["--ignore=noroot"]),
  ])
  func `firejail's noroot keeps the groups of some devices, which nogroups then takes`(
    path: String, subsystem: String, hasOthers: Bool, options: [String]
  ) throws {
    let explanation = try Self.explanation {
      $0.askDevice(path, subsystem: subsystem, gid: 65534)
      $0.node(path) { $0.uid = 65534 }
      $0.facts.confinement.container = "firejail"
      let own = IDMap([IDMap.Range(inside: 1000, outside: 1000, length: 1)])
      let tty = [IDMap.Range(inside: 5, outside: 5, length: 1)]
      $0.facts.access.subject.userNamespace = IDMapping(
        users: own, groups: IDMap(own.ranges + (hasOthers ? tty : [])))
      $0.facts.access.subject.groups = []
      $0.facts.access.subject.unobserved = [.overflowIDs]
      $0.check([.read, .write], .permissionDenied)
    }
    #expect(explanation.cause?.code == .groupsDropped)
    #expect(explanation.remedies.first?.options == options)
  }

  @Test(arguments: ["/dev/mediated0", "/dev/mem", "/dev/sg0"])
  func `a snap is connected to no interface because of a similar name, or for all of a machine`(
    path: String
  ) throws {
    let explanation = try Self.explanation {
      $0.askDevice(path, subsystem: "other", mode: 0o666)
      $0.facts.confinement.container = "snap"
      $0.facts.confinement.label = "snap.cam.cam (enforce)"
      $0.check([.read, .write], .permissionDenied)
    }
    #expect(explanation.cause?.code == .snapInterface)
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(!commands.contains { $0.contains("snap connect") }, "\(commands)")
  }

  // MARK: - Interfaces of snaps without a slot

  @Test(
    arguments: [
      ("/dev/hidraw4", "hidraw", "wayland", nil), ("/dev/i2c-1", "i2c-dev", "x11", nil),
      ("/dev/ttyUSB0", "tty", "wayland", "snap connect cam:raw-usb"),
      ("/dev/hidraw4", "hidraw", nil, "snap connect cam:hidraw"),
      ("/dev/bus/usb/001/002", "usb", "wayland", "snap connect cam:raw-usb"),
      ("/dev/mei0", "mei", "wayland", "snap connect cam:intel-mei"),
      ("/dev/media0", "media", "wayland", "snap connect cam:media-control"),
      ("/dev/v4l-subdev0", "video4linux", "wayland", "snap connect cam:media-control"),
      ("/dev/iio:device0", "iio", "wayland", nil), ("/dev/uio0", "uio", "x11", nil),
    ] as [(String, String, String?, String?)])
  func `a snap is not to be connected to an interface for which a desktop has no slot`(
    path: String, subsystem: String, session: String?, command: String?
  ) throws {
    let explanation = try Self.explanation {
      $0.askDevice(path, subsystem: subsystem, mode: 0o666)
      $0.facts.devices[0].sysfsPath = "/sys/devices/pci/usb1/1-3/x"
      $0.facts.confinement.container = "snap"
      $0.facts.confinement.label = "snap.cam.cam (enforce)"
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      if let session {
        $0.sit()
        $0.facts.session?.type = session
      } else {
        $0.facts.session = nil
      }
      $0.check([.read, .write], .notPermitted)
    }
    #expect(explanation.cause?.code == .snapInterface)
    #expect(explanation.remedies.flatMap(\.commands) == [command].compactMap(\.self))
    #expect(explanation.remedies.isEmpty == false)
    #expect(explanation.lookups.allSatisfy { $0.commands == ["snap connections cam"] })
  }

  @Test(
    arguments: [
      ("bubblewrap", false, "--dev-bind /dev/video0 /dev/video0"),
      ("firejail", false, "--ignore=novideo"), ("firejail", true, "--whitelist=/dev/video0"),
    ])
  func `a sandbox is given what its own file system lacks`(
    name: String, isEmptied: Bool, option: String
  ) throws {
    let explanation = try Self.explanation {
      $0.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      $0.facts.access.mounts[1].nodev = isEmptied
      $0.facts.confinement.container = name
    }
    #expect(explanation.cause?.code == .sandboxPrivateDev)
    #expect(explanation.remedies.map(\.options) == [[option]])
  }

  @Test func `a sandbox may lack a device that nothing tells of`() throws {
    let explanation = try Self.explanation {
      $0.removeDevices()
      $0.facts.kind = nil
      $0.facts.confinement.container = "bubblewrap"
    }
    #expect(explanation.cause?.code == .nodeAbsent)
    #expect(
      explanation.remedies.map(\.options) == [["--dev-bind /dev/video0 /dev/video0"]])
  }

  @Test func `a sandbox whose devices open nothing is given one by its own option`() throws {
    let explanation = try Self.explanation {
      $0.join(Fixtures.video)
      $0.facts.access.mounts[1].nodev = true
      $0.facts.confinement.container = "bubblewrap"
    }
    #expect(explanation.cause?.code == .mountNodev)
    #expect(
      explanation.remedies.contains { $0.options == ["--dev-bind /dev/video0 /dev/video0"] })
  }

  @Test(arguments: [
    ("/dev/dri/renderD128", "drm", "--ignore=no3d"), ("/dev/hidraw0", "hidraw", "--ignore=nou2f"),
    ("/dev/ttyUSB0", "tty", "--ignore=private-dev"),
    ("/dev/input/event0", "input", "--ignore=noinput"),
  ])
  func `a setting of firejail is left out that hides such a device`(
    path: String, subsystem: String, option: String
  ) throws {
    let explanation = try Self.explanation {
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: path, flags: [.readWrite])
      $0.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
      $0.facts.confinement.container = "firejail"
      $0.facts.devices = [
        DeviceFacts(
          node: path, sysfsPath: "/sys/devices/x", subsystem: subsystem,
          kernelName: String(path.split(separator: "/").last ?? ""))
      ]
    }
    #expect(explanation.remedies.first?.options.first == option)
  }

  @Test(arguments: ["bubblewrap", "firejail"])
  func `whoever is in a group outside is in it in a sandbox`(name: String) throws {
    let explanation = try Self.explanation {
      $0.untag()
      $0.facts.confinement.container = name
    }
    #expect(explanation.cause?.code == .groupNotMember)
    // bwrap lacks options that container engines have.
    #expect(!explanation.remedies.isEmpty)
    #expect(explanation.remedies.allSatisfy { $0.options.isEmpty && $0.actor != .packager })
  }

  // MARK: - Propagation

  @Test func `a private mount keeps a later drive out, and one that takes part does not`() throws {
    let cause = try #require(try Self.explanation { Self.missDrive(&$0) }.cause)
    #expect(cause.code == .mountPropagation && !cause.isProven)
    #expect(cause.summary.contains("the docker container at /media is private"))
    let slave = try Self.explanation {
      Self.missDrive(&$0)
      $0.facts.confinement.privateMounts = []
    }
    #expect(slave.cause?.code == .nodeAbsent)
    let own = try Self.explanation {
      Self.missDrive(&$0)
      $0.facts.access.mounts.removeLast()
      $0.facts.confinement.privateMounts = ["/"]
    }
    #expect(own.cause?.code == .nodeAbsent)
  }

  @Test func `a missing file elsewhere is no drive`() throws {
    let explanation = try Self.explanation {
      Self.missDrive(&$0)
      $0.add("/data", .directory)
      $0.facts.access.mounts.append(Mount(at: "/data", fstype: "ext4"))
      $0.facts.confinement.privateMounts = ["/data"]
      $0.facts.access.request = Question(.path("/data/x")).request(for: "/data/x", type: nil)
    }
    #expect(explanation.cause?.code == .nodeAbsent)
  }

  @Test(
    arguments: [
      ("podman", "--volume=SOURCE:/media:rslave"),
      ("lxc", "lxc.mount.entry = /media media none rbind,rslave,create=dir"),
      ("kubernetes", "mountPropagation: HostToContainer"), ("bubblewrap", nil),
    ] as [(String, String?)])
  func `a mount takes part in the words of the engine`(container: String, option: String?) throws {
    let explanation = try Self.explanation { Self.missDrive(&$0, container: container) }
    #expect(explanation.remedies.flatMap(\.options) == (option.map { [$0] } ?? []))
  }

  @Test func `a service takes part by a setting of its own`() throws {
    let explanation = try Self.explanation {
      Self.missDrive(&$0, container: nil)
      $0.facts.confinement.unit = "photos.service"
    }
    #expect(explanation.cause?.summary.contains("the mount of photos.service at /media") == true)
    #expect(
      explanation.remedies.first?.commands.contains { $0.contains("MountFlags=slave") } == true)
    #expect(explanation.remedies.first?.commands.last == "systemctl restart photos.service")
  }

  @Test func `the pictures of a container may be on a drive outside`() throws {
    var facts = Fixtures.album().facts
    facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
    facts.access.mounts.append(Mount(at: "/home/alice", fstype: "ext4"))
    facts.confinement.container = "podman"
    facts.confinement.privateMounts = ["/home/alice"]
    let causes = facts.explain()
    #expect(causes.cause?.code == .albumDirectoryMissing)
    #expect(causes.furtherCauses.map(\.code) == [.mountPropagation])
  }

  @Test func `links in a circle are no automounter`() throws {
    let explanation = try Self.explanation {
      Self.automount(&$0)
      $0.facts.confinement.privateMounts = []
    }
    #expect(explanation.cause?.code != .mountPropagation)
  }
}
