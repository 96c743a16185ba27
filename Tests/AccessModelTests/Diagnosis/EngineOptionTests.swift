import AccessModel
import Testing

/// Options for engines, units and sandboxes, in words that are correct for each of them.
struct EngineOptionTests {
  private func explain(_ change: (inout Fixtures) -> Void) -> Explanation {
    Fixtures.camera.with(change).explain()
  }

  private static func deny(_ fixture: inout Fixtures, but exceptions: [DeviceCgroup.Exception] = [])
  {
    fixture.facts.access.subject.deviceCgroup = DeviceCgroup(
      defaultBehavior: .deny, exceptions: exceptions)
  }

  private static func exception(
    _ major: UInt32, _ minor: UInt32?, read: Bool = true, write: Bool = true
  ) -> DeviceCgroup.Exception {
    DeviceCgroup.Exception(
      isBlock: false, major: major, minor: minor, read: read, write: write, makeNode: false)
  }

  // MARK: - Several nodes of one driver

  /// Asks for a node of an NVIDIA graphics card, in a container or unit whose list refuses its
  /// nodes.
  private static func askNVIDIA(
    _ fixture: inout Fixtures, _ path: String = "/dev/nvidiactl",
    nodes: [(String, UInt32)] = [("nvidiactl", 255), ("nvidia0", 0), ("nvidia1", 1)]
  ) {
    fixture.removeDevices()
    for (name, minor) in nodes {
      fixture.add("/dev/\(name)", .characterDevice, mode: 0o666)
      fixture.node("/dev/\(name)") { $0.rdev = DeviceNumber(major: 195, minor: minor) }
    }
    fixture.facts.kind = nil
    fixture.facts.access.request = Question(.path(path), wanted: [.read, .write])
      .request(for: path, type: .characterDevice)
    deny(&fixture)
  }

  @Test(arguments: [
    ("docker", ["--device=/dev/nvidiactl", "--device=/dev/nvidia0", "--device=/dev/nvidia1"]),
    ("podman", ["--device=/dev/nvidiactl", "--device=/dev/nvidia0", "--device=/dev/nvidia1"]),
  ])
  func `a container gets every node of the driver that its list refuses`(
    container: String, options: [String]
  ) {
    let explanation = explain {
      $0.contain(container)
      Self.askNVIDIA(&$0)
    }
    #expect(explanation.cause?.code == .cgroupDevice)
    #expect(explanation.remedies.first?.options == options)
    #expect(explanation.remedies.first?.isProven == true)
  }

  @Test func `the unit of a container gets every node of the driver that its list refuses`() {
    let explanation = explain {
      $0.contain("systemd-nspawn")
      Self.askNVIDIA(&$0)
    }
    let commands = explanation.remedies.first?.commands ?? []
    for node in ["nvidiactl", "nvidia0", "nvidia1"] {
      #expect(commands.contains { $0.contains("'DeviceAllow=/dev/\(node) rw'") })
    }
  }

  @Test func `Proxmox gets a line for each node, each with its own number`() {
    let explanation = explain {
      $0.contain("lxc")
      $0.facts.confinement.kernelRelease = "6.8.12-4-pve"
      Self.askNVIDIA(&$0, nodes: [("nvidiactl", 255), ("nvidia0", 0)])
      $0.facts.access.subject = Subject(uid: 0, gid: 0)
      Self.deny(&$0)
    }
    #expect(
      explanation.remedies.first?.options == ["dev0: /dev/nvidiactl", "dev1: /dev/nvidia0"])
    #expect(explanation.remedies.first?.assumes?.contains("dev0 to dev1 are") == true)
  }

  @Test func `nodes that the list lets pass, and other cards, are not asked for`() {
    let other = explain {
      $0.contain("docker")
      Self.askNVIDIA(&$0, "/dev/nvidia0")
    }
    #expect(
      other.remedies.first?.options == ["--device=/dev/nvidia0", "--device=/dev/nvidiactl"])
    let allowed = explain {
      $0.contain("docker")
      Self.askNVIDIA(&$0)
      Self.deny(&$0, but: [Self.exception(195, 0), Self.exception(195, 1)])
    }
    #expect(allowed.remedies.first?.options == ["--device=/dev/nvidiactl"])
    let cameras = explain {
      $0.contain("docker")
      $0.join(Fixtures.video)
      $0.addCamera(1)
      Self.deny(&$0)
    }
    let options = cameras.remedies.flatMap { $0.options }
    #expect(!options.isEmpty && !options.contains { $0.contains("/dev/video1") })
  }

  @Test func `one node of several proves nothing, and the toolkit knows them all`() throws {
    let explanation = explain {
      $0.contain("docker")
      Self.askNVIDIA(&$0, nodes: [("nvidiactl", 255)])
    }
    #expect(explanation.remedies.allSatisfy { !$0.isProven })
    #expect(explanation.remedies.contains { $0.options == ["--device=nvidia.com/gpu=all"] })
    let alone = try #require(
      explanation.remedies.first { $0.options == ["--device=/dev/nvidiactl"] })
    #expect(alone.assumes?.contains("other nodes") == true)
  }

  @Test(arguments: [
    ("/dev/snd/pcmC1D0c", ["controlC1", "controlC0"], ["/dev/snd/controlC1"]),
    (
      "/dev/dvb/adapter0/frontend0", ["demux0", "dvr0"],
      ["/dev/dvb/adapter0/demux0", "/dev/dvb/adapter0/dvr0"]
    ),
  ])
  func `other drivers have such nodes, too`(path: String, beside: [String], expected: [String]) {
    let folder = String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    let explanation = explain {
      $0.contain("docker")
      $0.askDevice(path, subsystem: "dvb", mode: 0o666)
      for name in beside { $0.add("\(folder)/\(name)", .characterDevice, mode: 0o666) }
      Self.deny(&$0)
    }
    #expect(
      explanation.remedies.first?.options == ([path] + expected).map { "--device=\($0)" })
  }

  @Test func `a unit is allowed every node of the driver`() {
    let explanation = explain {
      Self.askNVIDIA(&$0, nodes: [("nvidiactl", 255), ("nvidia0", 0)])
      $0.serve("ollama.service")
      var service = ServiceFacts()
      service.policies = [
        ServiceFacts.Policy(
          unit: "ollama.service", list: DeviceCgroup(defaultBehavior: .deny, exceptions: []),
          setting: .closed)
      ]
      $0.facts.confinement.service = service
    }
    let text = explanation.remedies.first?.commands.joined(separator: "\n") ?? ""
    #expect(text.contains("'DeviceAllow=/dev/nvidiactl rw' 'DeviceAllow=/dev/nvidia0 rw'"))
    #expect(explanation.remedies.first?.end == .never)
  }

  // MARK: - Engines with few or unknown options

  @Test(arguments: [
    ("apptainer", "/dev/kfd", "kfd", ["--bind=/dev/kfd,/dev/dri"]),
    ("singularity", "/dev/ttyUSB0", "tty", ["--bind=/dev/ttyUSB0"]),
    ("apptainer", "/dev/nvidia0", "nvidia", ["--nv"]),
    ("docker", "/dev/kfd", "kfd", ["--device=/dev/kfd", "--device=/dev/dri"]),
    (
      "systemd-nspawn", "/dev/kfd", "kfd",
      [
        "--bind=/dev/kfd", "--bind=/dev/dri", "'--property=DeviceAllow=/dev/kfd rw'",
        "'--property=DeviceAllow=char-drm rw'",
      ]
    ),
  ])
  func `a node that the container lacks is bound in the words of the engine`(
    container: String, path: String, subsystem: String, options: [String]
  ) {
    let explanation = explain {
      $0.contain(container)
      $0.askDevice(path, subsystem: subsystem, isInitialized: false)
      $0.facts.access.nodes.removeAll { $0.path == path }
    }
    #expect(explanation.cause?.code == .nodeHidden)
    #expect(explanation.remedies.contains { $0.options == options })
  }

  @Test(arguments: ["openvz", "lxc-libvirt", "rkt"])
  func `of an engine whose options are not known it is said what to look for`(container: String)
    throws
  {
    let hidden = explain {
      $0.contain(container)
      $0.hide()
    }
    let first = try #require(hidden.remedies.first)
    #expect(first.title.contains("the option of \(container) that binds /dev/video0 into it"))
    #expect(first.assumes?.contains("\(container) has such an option") == true)
    let refused = explain {
      $0.contain(container)
      $0.join(Fixtures.video)
      Self.deny(&$0)
    }
    #expect(refused.remedies.allSatisfy { !$0.isProven || !$0.options.isEmpty })
  }

  // MARK: - Facts from sysfs

  @Test(arguments: [
    ("/dev/video0", "video4linux", "video0", nil, false, "The kernel knows video0,"),
    ("/dev/video0", "video4linux", "video0", nil, true, "udev knows video0,"),
    (
      "/dev/bus/usb/001/008", "usb", "1-1", "RSP1A", false,
      "The kernel knows the USB device RSP1A,"
    ),
    ("/dev/bus/usb/001/008", "usb", "1-1", nil, false, "the device at the USB port 1-1,"),
  ])
  func `a hidden device is called by its name, and known to whom it is known`(
    path: String, subsystem: String, kernelName: String, name: String?, isInitialized: Bool,
    words: String
  ) {
    let explanation = explain {
      $0.contain("docker")
      $0.askDevice(path, subsystem: subsystem, isInitialized: isInitialized)
      $0.facts.access.nodes.removeAll { $0.path == path }
      $0.facts.devices[0].kernelName = kernelName
      $0.facts.devices[0].name = name
    }
    #expect(explanation.cause?.summary.contains(words) == true)
  }

  // MARK: - A list that allows part of the access

  @Test(arguments: [
    (true, false, "allows reading /dev/video0, but refuses writing (EPERM)", "c 81:0 r"),
    (false, true, "allows writing /dev/video0, but refuses reading (EPERM)", "c 81:0 w"),
  ])
  func `a list that lets a part pass does not refuse the device`(
    read: Bool, write: Bool, words: String, line: String
  ) {
    let container = explain {
      $0.contain("podman")
      $0.join(Fixtures.video)
      Self.deny(&$0, but: [Self.exception(81, 0, read: read, write: write)])
    }
    #expect(container.cause?.code == .cgroupDevice)
    #expect(container.cause?.summary.contains(words) == true)
    #expect(container.cause?.summary.contains("its list has \(line)") == true)
    let unit = explain {
      $0.join(Fixtures.video)
      $0.serve("cam.service")
      Self.deny(&$0, but: [Self.exception(81, 0, read: read, write: write)])
      var service = ServiceFacts()
      service.policies = [
        ServiceFacts.Policy(
          unit: "cam.service", list: $0.facts.access.subject.deviceCgroup, setting: .list)
      ]
      $0.facts.confinement.service = service
    }
    #expect(unit.cause?.summary.contains("The device policy of cam.service \(words)") == true)
  }

  @Test func `the kernel's own checks tell of a part as well`() {
    let explanation = explain {
      $0.contain("docker")
      $0.join(Fixtures.video)
      $0.facts.access.subject.unobserved = [.deviceCgroup]
      $0.check(.read, .success)
      $0.check(.write, .notPermitted)
      $0.check([.read, .write], .notPermitted)
    }
    #expect(explanation.cause?.summary.contains("allows reading /dev/video0") == true)
    #expect(explanation.cause?.summary.contains("of the docker container") == true)
  }

  // MARK: - Device classes in units

  @Test(arguments: [
    ("/dev/ttyUSB0", "tty", UInt32(188), "char-ttyUSB rw"),
    ("/dev/ttyACM0", "tty", 166, "char-ttyACM rw"),
    ("/dev/bus/usb/001/004", "usb", 189, "char-usb_device rw"),
    ("/dev/hidraw3", "hidraw", 240, "char-hidraw rw"),
    ("/dev/video2", "video4linux", 81, "char-video4linux rw"),
  ])
  func `a device that gets another number is allowed by its class first`(
    path: String, subsystem: String, major: UInt32, allowed: String
  ) throws {
    let remedies = explain {
      $0.askDevice(path, subsystem: subsystem, mode: 0o666)
      $0.node(path) { $0.rdev = DeviceNumber(major: major, minor: 0) }
      $0.facts.devices[0].number = DeviceNumber(major: major, minor: 0)
      $0.facts.devices[0].bus = "usb-serial"
      $0.facts.devices[0].sysfsPath = "/sys/devices/pci0/usb1/1-2/1-2:1.0/x"
      $0.serve("agent.service")
      Self.deny(&$0)
    }.remedies
    let first = try #require(remedies.first)
    #expect(first.commands.joined().contains("DeviceAllow=\(allowed)"))
    #expect(first.end == .never && first.isProven && first.scope != nil)
    let narrow = try #require(remedies.dropFirst().first)
    #expect(narrow.commands.joined().contains("DeviceAllow=\(path) rw"))
    #expect(narrow.end == .renumbering)
  }

  @Test func `a built-in port keeps its number and is allowed alone`() {
    let remedies = explain {
      $0.askDevice("/dev/ttyS0", subsystem: "tty", mode: 0o666)
      $0.serve("agent.service")
      Self.deny(&$0)
    }.remedies
    #expect(remedies.first?.commands.joined().contains("DeviceAllow=/dev/ttyS0 rw") == true)
    #expect(remedies.first?.end == .never)
  }
}
