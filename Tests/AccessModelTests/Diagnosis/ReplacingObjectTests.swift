import AccessModel
import Testing

/// Other objects at the path of a device.
@Suite struct `What stands in for a device` {
  /// Replaces the camera's node by another object.
  private func replaced(
    _ type: FileType, _ number: DeviceNumber? = nil, mode: UInt16 = 0o666,
    _ change: (inout Fixtures) -> Void = { _ in }
  ) -> Explanation {
    Fixtures.camera.with {
      $0.removeDevices()
      $0.add("/dev/video0", type, mode: mode)
      $0.node { $0.rdev = number }
      change(&$0)
    }.explain()
  }

  @Test
  func `another node of the camera is the camera, and one with the name of another kind is not`() {
    func code(_ path: String, mode: UInt16) -> CauseCode? {
      Fixtures.camera.with {
        $0.ask(path, mode: mode)
        $0.node(path) { $0.rdev = DeviceNumber(major: 81, minor: 0) }
      }.explain().cause?.code
    }
    #expect(code("/dev/chroot/video7", mode: 0o666) == nil)
    #expect(code("/dev/chroot/ttyUSB0", mode: 0o666) == .nodeOtherDevice)
  }

  @Test(
    arguments: [
      (.regular, "a file"), (.directory, "a directory"), (.fifo, "a FIFO"), (.socket, "a socket"),
    ] as [(FileType, String)])
  func `an object that is not a device is told as that`(type: FileType, noun: String) {
    let explanation = replaced(type)
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == .nodeNotADevice)
    #expect(explanation.cause?.summary.contains("/dev/video0 is \(noun), not a device") == true)
  }

  @Test(
    arguments: [
      ("firejail", .ownProcess, [["--ignore=novideo"]]),
      ("bubblewrap", .ownProcess, [["--dev-bind /dev/video0 /dev/video0"]]),
      ("podman", .process, []),
      (nil, .ownProcess, [["umount /dev/video0"]]), (nil, .process, []),
    ] as [(String?, SubjectOrigin.Kind, [[String]])])
  func `what is mounted over a node is not removed`(
    container: String?, origin: SubjectOrigin.Kind, steps: [[String]]
  ) {
    let explanation = Fixtures.camera.with {
      $0.addCamera(4, name: "Another")
      $0.add("/dev/video0", .regular, mode: 0o400)
      $0.facts.access.mounts.append(Mount(at: "/dev/video0", fstype: "tmpfs"))
      $0.facts.confinement.container = container
      $0.facts.origin = SubjectOrigin(origin)
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking])
    }.explain()
    #expect(explanation.cause?.code == .nodeNotADevice)
    #expect(explanation.cause?.summary.contains("tmpfs is mounted over the node") == true)
    #expect(explanation.cause?.summary.contains("video4") == false)
    #expect(explanation.remedies.map { $0.commands + $0.options } == steps)
  }

  /// Such a node remains after a replug or was made by hand, and the kernel's check does not
  /// involve drivers.
  @Test func `another number without a driver is absent at the device's path`() {
    let number = DeviceNumber(major: 81, minor: 99)
    let explanation = Fixtures.camera.with {
      $0.node { node in
        node.rdev = number
        node.mode = 0o666
      }
      $0.check([.read, .write], 0)
      var hardware = HardwareFacts()
      hardware.numbers = [HardwareFacts.Number(number, hasDriver: false)]
      $0.facts.hardware = hardware
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking])
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == .nodeRenumbered)
  }

  @Test(
    arguments: [(.socket, true), (.fifo, false), (.regular, false)] as [(FileType, Bool)])
  func `a socket that may be used is told to be connected to`(type: FileType, isReported: Bool) {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/socket", type, mode: 0o666)
      $0.check([.read, .write], 0)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect((explanation.note?.contains("connect to it") == true) == isReported)
  }

  @Test(arguments: [(10, "ENODEV"), (200, "ENXIO")] as [(UInt32, String)])
  func `a number without a driver gives the error of its major number`(
    major: UInt32, name: String
  ) {
    let number = DeviceNumber(major: major, minor: 77)
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/node", mode: 0o666)
      $0.node("/srv/node") { $0.rdev = number }
      var hardware = HardwareFacts()
      hardware.numbers = [HardwareFacts.Number(number, hasDriver: false)]
      $0.facts.hardware = hardware
    }.explain()
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.summary.contains("opening it gives \(name).") == true)
  }

  @Test func `the null device is not a camera`() {
    let explanation = replaced(.characterDevice, DeviceNumber(major: 1, minor: 3))
    #expect(explanation.answer == .absent)
    #expect(explanation.cause?.code == .nodeOtherDevice)
  }

  @Test(arguments: [0o666, 0o600] as [UInt16])
  func `a number without a driver is told as that`(mode: UInt16) {
    let number = DeviceNumber(major: 81, minor: 250)
    let explanation = replaced(.characterDevice, number, mode: mode) {
      var hardware = HardwareFacts()
      hardware.numbers = [HardwareFacts.Number(number, hasDriver: false)]
      $0.facts.hardware = hardware
    }
    let codes = [explanation.cause?.code] + explanation.furtherCauses.map(\.code)
    #expect(codes.contains(.nodeNoDriver))
    #expect(explanation.certainty != .proven)
    // The kernel checks the mode before it looks up the driver.
    #expect(explanation.answer == (mode == 0o666 ? .absent : .refused))
    // Changing the mode would not help, so the answer must not suggest it.
    #expect(explanation.status == (mode == 0o666 ? .absent : .restricted))
    #expect(explanation.remedies.isEmpty)
    if mode != 0o666 { #expect(explanation.note?.contains("cannot be opened") == true) }
  }

  @Test(arguments: [nil, "docker"])
  func `what others may is told, where it lacks a part`(container: String?) {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/null", mode: 0o644)
      $0.facts.confinement.container = container
    }.explain()
    #expect(
      explanation.cause?.summary.hasSuffix(
        container == nil
          ? "gives others permission to read, but not to write."
          : "others have r--, which lacks write.")
        == true,
      "\(explanation.cause?.summary ?? "no cause")")
  }

  @Test(arguments: [false, true])
  func `a number of which nothing is known is not called absent`(isTried: Bool) {
    let explanation = replaced(.characterDevice, DeviceNumber(major: 81, minor: 0)) {
      if isTried { $0.try(.open, 0) }
    }
    #expect(explanation.answer == .undetermined)
    #expect(explanation.certainty == .undecided)
    // A successful open does not identify the object.
    #expect(explanation.decision.steps.last?.note == nil)
  }

  @Test func `without a list of devices their absence is not told`() {
    for isNode in [false, true] {
      let explanation = Fixtures.camera.with {
        $0.removeDevices()
        $0.check([.read, .write], 2)
        if isNode {
          var hardware = HardwareFacts()
          hardware.unknownNodes = ["/dev/video7"]
          $0.facts.hardware = hardware
        } else {
          $0.facts.unobserved = [Unobserved(Unobserved.devicesLayer, reason: "no such file")]
        }
      }.explain()
      #expect(explanation.answer == .undetermined)
      #expect(explanation.certainty == .undecided)
      #expect(explanation.availability != .absent)
      #expect(!explanation.decision.isGranted && explanation.decision.rule == nil)
    }
  }

  @Test(
    arguments: [
      (.regular, nil), (.fifo, nil), (.characterDevice, DeviceNumber(major: 1, minor: 3)),
      (.characterDevice, DeviceNumber(major: 81, minor: 9)),
    ] as [(FileType, DeviceNumber?)])
  func `the working camera beside it is chosen`(type: FileType, number: DeviceNumber?) {
    let fixture = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.addCamera(2, name: "Good one")
      $0.add("/dev/video0", type, mode: 0o666)
      $0.node { $0.rdev = number }
    }
    let explanation = fixture.explain()
    #expect(explanation.path == "/dev/video2")
    #expect(explanation.answer == .allowed)
    let asked = fixture.with {
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking])
    }.explain()
    let isOld = number?.major == 81
    #expect(asked.cause != nil || isOld)
    if !isOld {
      #expect(asked.cause?.summary.contains("The camera Good one is /dev/video2") == true)
    }
  }

  @Test func `the null device that is asked about by a camera's name is told as that`() {
    let number = DeviceNumber(major: 1, minor: 3)
    for (path, code) in [("/dev/video0", .nodeOtherDevice), ("/dev/null", nil)]
      as [(String, CauseCode?)]
    {
      let explanation = Fixtures.camera.with {
        $0.addCamera(2, name: "Good one")
        $0.add(path, .characterDevice, mode: 0o666)
        $0.node(path) { $0.rdev = number }
        // The kernel's facts about this number, regardless of the name.
        $0.device {
          $0.number = number
          $0.node = "/dev/null"
          $0.subsystem = "mem"
        }
        $0.facts.kind = nil
        $0.facts.access.request = .open(path: path, flags: [.readWrite, .nonBlocking])
      }.explain()
      #expect(explanation.cause?.code == code)
      #expect(explanation.answer == (code == nil ? .allowed : .absent))
    }
  }

  @Test func `a leftover node in a container is not an unmapped owner`() {
    let number = DeviceNumber(major: 81, minor: 0)
    let explanation = Fixtures.camera.with {
      $0.facts.devices = []
      $0.addCamera(1)
      $0.contain("podman")
      $0.unmap()
      $0.facts.kind = nil
      $0.facts.access.request = .open(path: "/dev/video0", flags: [.readWrite, .nonBlocking])
      var hardware = HardwareFacts()
      hardware.numbers = [HardwareFacts.Number(number, hasDriver: false)]
      $0.facts.hardware = hardware
    }.explain()
    #expect(explanation.cause?.code == .containerHotplug)
  }

  /// A camera that udev is still processing, and another one without a node.
  private static let unfinished = Fixtures.camera.with {
    $0.addCamera(1)
    $0.facts.access.nodes.removeAll { $0.path == "/dev/video1" }
    $0.node {
      $0.mode = 0o600
      $0.gid = 0
    }
    $0.device { $0.isInitialized = false }
  }

  @Test(arguments: [true, false, nil] as [Bool?], [nil, "docker"] as [String?])
  func `udev is said to work only where it can`(hasControl: Bool?, container: String?) {
    let explanation = Self.unfinished.with {
      var hardware = HardwareFacts()
      hardware.hasUdevControl = hasControl
      $0.facts.hardware = hardware
      if let container { $0.contain(container) }
    }.explain()
    let expected: CauseCode = hasControl == false ? .udevNotRunning : .bootRace
    if container == nil {
      #expect(explanation.cause?.code == expected)
    } else {
      #expect(![.bootRace, .udevNotRunning].contains(explanation.cause?.code))
    }
  }

  @Test func `udev is not said to be at work where its database is hidden`() {
    let facts = Self.unfinished
    #expect(facts.explain().cause?.code == .bootRace)
    let hidden = facts.with {
      $0.facts.unobserved.append(
        Unobserved(Unobserved.udevDatabaseLayer, reason: "permission denied"))
    }
    #expect(hidden.explain().cause?.code != .bootRace)
  }

  @Test(arguments: [nil, false, true] as [Bool?])
  func `a loopback that captures and takes pictures at once is told to need a feeder`(
    isFed: Bool?
  ) {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":capture:video_output:"
        $0.isFed = isFed
      }
    }.explain()
    #expect(explanation.answer == .allowed)
    // A loopback that is being fed does not need a feeder.
    #expect(explanation.furtherCauses.map(\.code) == (isFed == true ? [] : [.loopbackCaps]))
    #expect(explanation.furtherCauses.first?.isProven == (isFed == true ? nil : isFed == false))
  }

  @Test func `a loopback that a control keeps as a camera needs a feeder, and no other options`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.device {
        $0.driver = "v4l2loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = ":video_output:"
        ($0.isFed, $0.isKept) = (false, true)
        $0.classify()
      }
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.furtherCauses.map(\.code) == [.loopbackCaps])
    #expect(explanation.furtherCauses.first?.summary.contains("a control keeps") == true)
    #expect(explanation.remedies.flatMap(\.commands).isEmpty)
  }

  @Test func `a camera behind its shutter is told`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.device { $0.isPrivate = true }
    }.explain()
    #expect(explanation.furtherCauses.map(\.code) == [.hardwareOff])
  }
}
