import AccessModel
import Testing

/// Nodes that programs open along with a device, and other neighbors.
struct NeighbourTests {
  /// Returns sound cards, each with a control node and a microphone with the given modes.
  private static func cards(_ cards: (control: UInt16, stream: UInt16)...) -> Fixtures {
    Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = "microphone"
      for (number, card) in cards.enumerated() {
        for (name, mode) in [
          ("controlC\(number)", card.control), ("pcmC\(number)D0c", card.stream),
        ] {
          let path = "/dev/snd/\(name)"
          $0.add(path, .characterDevice, mode: mode, gid: 29)
          var device = DeviceFacts(
            node: path, sysfsPath: "/sys/devices/pci/sound/card\(number)/\(name)",
            subsystem: "sound", kernelName: name)
          device.number = DeviceNumber(major: 116, minor: UInt32($0.facts.devices.count))
          let number = device.number
          $0.node(path) { $0.rdev = number }
          device.classify()
          $0.facts.devices.append(device)
        }
      }
      $0.facts.access.request = .open(path: "/dev/snd/pcmC0D0c", flags: [.readWrite, .nonBlocking])
    }
  }

  @Test func `a microphone whose control node is refused is refused, and its path is not`() {
    let fixture = Self.cards((control: 0o660, stream: 0o666))
    let explanation = fixture.explain()
    #expect(explanation.answer == .refused && explanation.status == .denied)
    // The device remains the microphone, but the last decision is about the companion.
    #expect(explanation.path == "/dev/snd/pcmC0D0c")
    #expect(explanation.decision.at == "/dev/snd/controlC0")
    #expect(explanation.decision.steps.count { $0.action == .final } == 2)
    #expect(explanation.cause?.code == .auxNode)
    #expect(explanation.furtherCauses.first?.code == .groupNotMember)
    #expect(explanation.decision.rule == .modeOther)
    #expect(explanation.candidates.map(\.answer) == [.allowed])
    let asked = fixture.with { $0.facts.kind = nil }.explain()
    #expect(asked.answer == .allowed)
    #expect(asked.furtherCauses.first?.code == .auxNode)
    // The fix for the companion applies to both questions.
    #expect(explanation.remedies.first?.isProven == true)
    #expect(asked.remedies.map(\.commands) == explanation.remedies.map(\.commands))
  }

  @Test func `of two cards the one that can be used whole is chosen`() {
    let explanation = Self.cards(
      (control: 0o660, stream: 0o666), (control: 0o666, stream: 0o666)
    ).explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.path == "/dev/snd/pcmC1D0c")
  }

  @Test(arguments: [("amdgpu", 0o660, true), ("amdgpu", 0o666, false), ("i915", 0o660, false)])
  func `a graphics card is limited where its own node for computing is refused`(
    driver: String, mode: Int, isLimited: Bool
  ) {
    let explanation = Fixtures.camera.with {
      $0.removeDevices()
      $0.facts.kind = "gpu"
      $0.add("/dev/dri/renderD128", .characterDevice, mode: 0o666)
      $0.add("/dev/kfd", .characterDevice, mode: UInt16(mode), gid: 109)
      var device = DeviceFacts(
        node: "/dev/dri/renderD128", sysfsPath: "/sys/devices/pci/drm/renderD128",
        subsystem: "drm", kernelName: "renderD128")
      device.driver = driver
      device.classify()
      $0.facts.devices = [device]
      $0.facts.access.request = .open(
        path: "/dev/dri/renderD128", flags: [.readWrite, .nonBlocking])
    }.explain()
    #expect(explanation.answer == (isLimited ? .refused : .allowed))
    #expect(explanation.status == (isLimited ? .limited : .authorized))
    #expect(explanation.cause?.code == (isLimited ? .auxNode : nil))
  }

  @Test func `the number of no device is absent, whoever may open its node`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/video0", mode: 0o666)
      $0.facts.devices = []
      $0.node { $0.rdev = DeviceNumber(major: 0, minor: 0) }
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == .nodeNoDriver)
  }

  @Test(arguments: [(188, true), (10, false)] as [(UInt32, Bool)])
  func `a number that sysfs does not list is dead, unless its driver comes with its use`(
    major: UInt32, isDead: Bool
  ) {
    let number = DeviceNumber(major: major, minor: 5)
    func answer(_ unobserved: [Unobserved]) -> Answer {
      Fixtures.camera.with {
        $0.ask(major == 10 ? "/dev/kvm" : "/dev/ttyUSB5", mode: 0o666)
        $0.facts.devices = []
        $0.node($0.facts.access.request.path) { $0.rdev = number }
        var hardware = HardwareFacts()
        hardware.numbers = [HardwareFacts.Number(number)]
        $0.facts.hardware = hardware
        $0.facts.unobserved = unobserved
      }.explain().answer
    }
    #expect(answer([]) == (isDead ? .absent : .allowed))
    // If sysfs could not be read, its contents do not show that the device is missing.
    #expect(answer([Unobserved(Unobserved.devicesLayer, reason: "it is hidden")]) == .allowed)
  }

  @Test(arguments: [("ttyUSB", 188, CauseCode.containerHotplug), ("ttyS", 4, .nodeNoDriver)])
  func `a dead node in a container is compared with devices of its own driver`(
    stem: String, major: Int, code: CauseCode
  ) {
    let number = DeviceNumber(major: UInt32(major), minor: 9)
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/\(stem)9", mode: 0o666)
      $0.facts.devices = ["ttyS0", "ttyUSB1"].map { name in
        DeviceFacts(
          node: "/dev/\(name)", sysfsPath: "/sys/devices/\(name)", subsystem: "tty",
          kernelName: name)
      }
      $0.node("/dev/\(stem)9") { $0.rdev = number }
      $0.facts.confinement.container = "docker"
      var hardware = HardwareFacts()
      hardware.numbers = [HardwareFacts.Number(number)]
      $0.facts.hardware = hardware
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == code)
    #expect(explanation.cause?.summary.contains("ttyUSB1") == (stem == "ttyUSB"))
    #expect(
      !explanation.remedies.contains { remedy in remedy.options.contains { $0.contains("c 4:") } })
  }

  @Test func `an object about which the kernel decides is shown once, with who decided`() throws {
    let decision = Fixtures.camera.with {
      $0.ask("/srv/share", .directory, mode: 0o777, wanted: [.read, .search])
      $0.facts.access.mounts.append(Mount(at: "/srv/share", fstype: "nfs4"))
      $0.check([.read, .search], 13)
    }.explain().decision
    #expect(decision.steps.count { $0.path == "/srv/share" } == 1)
    let last = try #require(decision.steps.last)
    #expect(last.rule == nil && last.note?.contains("faccessat2") == true)
  }

  @Test func `the null device by another name gets no advice about directories`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/dev/ttyUSB0", mode: 0o600)
      $0.facts.devices = []
      $0.node("/dev/ttyUSB0") { $0.rdev = DeviceNumber(major: 1, minor: 3) }
    }.explain()
    #expect(explanation.cause?.code == .nodeOtherDevice)
    #expect(explanation.note?.contains("directory") != true)
    #expect(explanation.remedies.isEmpty)
  }

  @Test func `numbers of a user namespace around the subject's are not those of the host`() {
    func facts(_ owner: UInt32) -> AccessFacts {
      Fixtures.camera.with {
        $0.ask("/dev/ttyUSB0", mode: 0o660, uid: owner, gid: owner)
        let map = IDMap([IDMap.Range(inside: 1000, outside: 0, length: 1)])
        $0.facts.access.subject = Subject(uid: 0, gid: 0)
        $0.facts.access.subject.userNamespace = IDMapping(users: map, groups: map)
        $0.facts.access.subject.unobserved = [.overflowIDs]
        $0.facts.account.userNames = [0: "alice"]
        $0.facts.confinement.container = "podman"
      }.facts
    }
    let nested = facts(65534).explain()
    #expect(nested.answer == .refused)
    #expect(!nested.remedies.contains { $0.commands.contains { $0.contains("setfacl") } })
    #expect(nested.evidence.contains { $0.contains("alice (1000)") })
  }
}
