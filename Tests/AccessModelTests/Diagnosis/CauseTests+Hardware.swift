import AccessModel
import Testing

extension CauseTests {
  private static let uvcvideo = HardwareFacts.Module(
    name: "uvcvideo", isLoaded: false, isInstalled: true)

  /// Hardware without a node, hardware switches and modules.
  static let hardwareCases: [CauseCase] = [
    CauseCase(
      "no driver took the camera", .nodeAbsentNoDriver, nil, .absent,
      command: "echo 1-5:1.0 > /sys/bus/usb/drivers/uvcvideo/bind"
    ) {
      var module = uvcvideo
      module.isLoaded = true
      $0.lackDriver(module)
    },
    CauseCase(
      "its module is not loaded", .nodeAbsentNoDriver, nil, .absent, command: "modprobe uvcvideo"
    ) {
      $0.lackDriver(uvcvideo)
    },
    CauseCase(
      "its module is blacklisted", .nodeAbsentNoDriver, nil, .absent,
      command: "modprobe --ignore-install uvcvideo"
    ) {
      var module = uvcvideo
      module.isBlacklisted = true
      $0.lackDriver(module)
      $0.facts.hardware?.areSignaturesRequired = true
    },
    CauseCase("modules cannot be loaded any more", .moduleLoadRefused, nil, .absent) {
      $0.lackDriver(uvcvideo)
      $0.facts.hardware?.areModulesDisabled = true
    },
    CauseCase("the module is for another kernel", .moduleNotBuilt, nil, .absent) {
      var module = uvcvideo
      module.isInstalled = false
      module.otherKernels = ["6.1.0-1", "6.1.0-2"]
      $0.lackDriver(module)
    },
    CauseCase("the camera is switched off", .hardwareOff, nil, .absent) {
      $0.removeDevices()
      var hardware = HardwareFacts()
      hardware.switchedOff = [
        HardwareFacts.Switch(path: "/sys/bus/platform/devices/VPC2004:00/camera_power", value: "0")
      ]
      $0.facts.hardware = hardware
    },
    CauseCase(
      "the camera is not authorized", .usbNotAuthorized, nil, .absent,
      command: "echo 1 > /sys/bus/usb/devices/1-5/authorized"
    ) {
      $0.lackNode(
        HardwareFacts.USBObstacle(
          sysfsPath: "/sys/bus/usb/devices/1-5", reason: .deviceNotAuthorized, configuration: 1))
      $0.facts.hardware?.authorizedDefault = 0
    },
    CauseCase(
      "its interfaces are not authorized", .usbNotAuthorized, nil, .absent,
      command: "echo 1 > /sys/bus/usb/devices/1-5:1.0/authorized"
    ) {
      $0.lackNode(
        HardwareFacts.USBObstacle(
          sysfsPath: "/sys/bus/usb/devices/1-5", name: "Webcam", reason: .interfaceNotAuthorized,
          interfaces: ["1-5:1.0", "1-5:1.1"]))
    },
    CauseCase(
      "the camera has no configuration", .usbNotConfigured, nil, .absent,
      command: "echo 1 > /sys/bus/usb/devices/1-5/bConfigurationValue"
    ) {
      $0.lackNode(
        HardwareFacts.USBObstacle(
          sysfsPath: "/sys/bus/usb/devices/1-5", name: "Webcam", reason: .notConfigured,
          configuration: 1))
    },
    CauseCase("another device has the node's name", .nodeOtherDevice, nil, .absent) {
      $0.removeDevices()
      $0.add("/dev/video0", .characterDevice, mode: 0o666)
      $0.node { $0.rdev = DeviceNumber(major: 1, minor: 3) }
    },
    CauseCase("no udev daemon sets the permissions", .udevNotRunning, .denied) {
      $0.node {
        $0.mode = 0o600
        $0.gid = 0
      }
      $0.device { $0.isInitialized = false }
      var hardware = HardwareFacts()
      hardware.hasUdevControl = false
      $0.facts.hardware = hardware
    },
    CauseCase("a codec hides that the camera is not authorized", .usbNotAuthorized, nil, .absent) {
      $0.device { $0.driver = "bcm2835-codec" }
      var hardware = HardwareFacts()
      hardware.usb = [
        HardwareFacts.USBObstacle(
          sysfsPath: "/sys/bus/usb/devices/1-5", reason: .deviceNotAuthorized)
      ]
      $0.facts.hardware = hardware
    },
    CauseCase("a pipeline without video nodes", .wrongNodePipeline, nil, .absent) {
      $0.removeDevices()
      var hardware = HardwareFacts()
      hardware.media = [
        HardwareFacts.MediaDevice(kernelName: "media0", model: "codec", driver: "hantro"),
        HardwareFacts.MediaDevice(kernelName: "media1", model: "ISP", driver: "rkisp1"),
      ]
      $0.facts.hardware = hardware
    },
    CauseCase("nothing is known of the hardware", .nodeAbsent, nil, .absent) {
      $0.removeDevices()
      $0.facts.hardware = HardwareFacts()
    },
    CauseCase(
      "no driver answers for the number", .nodeNoDriver, nil, .absent, .proven
    ) {
      $0.join(Fixtures.video)
      $0.try(.open, 6)
    },
    CauseCase("the device went", .nodeDeviceGone, nil, .absent, .proven) {
      $0.join(Fixtures.video)
      $0.try(.open, 19)
    },
  ]

  /// Causes that appear only when a device is used, and causes in the portal.
  static let useCases: [CauseCase] = [
    CauseCase("it works", nil, .authorized, .allowed, .proven) {
      $0.join(Fixtures.video)
      $0.try(.open, 0)
    },
    CauseCase(
      "it works, whatever a filter does to other calls", nil, .authorized, .allowed, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.try(.open, 0)
    },
    CauseCase("another program has it open", .busy, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.try(.open, 16)
    },
    CauseCase("the driver fails to open it", .openFailed, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.try(.open, 5)
    },
    CauseCase("a filter refuses the call on any device", .seccomp, .restricted, .refused) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.tryOpening(1)
      $0.tryOpening(1, path: Attempt.controlPath)
    },
    CauseCase("a filter may refuse the call", .seccomp, .restricted, .refused) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.tryOpening(1)
    },
    CauseCase("a filter lets the call pass on other devices", .cgroupDevice, .restricted, .refused)
    {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.tryOpening(1)
      $0.tryOpening(0, path: Attempt.controlPath)
    },
    CauseCase(
      "a filter lets the check pass elsewhere", .cgroupDevice, .restricted, .refused, .proven
    ) {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.check([.read, .write], 1)
      $0.check([.read, .write], 0, path: AccessFacts.controlPath)
    },
    CauseCase("the bus is full", nil, .authorized, .allowed, .proven) {
      $0.join(Fixtures.video)
      $0.try(.stream, 28)
    },
    CauseCase("AppArmor refuses the open", .appArmor, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.facts.confinement.securityModules = ["apparmor"]
      $0.facts.confinement.label = "firefox (enforce)"
      $0.try(.open, 13)
    },
    CauseCase("Landlock may refuse the open", .landlock, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.facts.confinement.securityModules = ["landlock"]
      $0.facts.access.subject.noNewPrivileges = true
      $0.try(.open, 13)
    },
    CauseCase("nothing explains the refusal", .unknown, .restricted, .refused, .proven) {
      $0.join(Fixtures.video)
      $0.check([.read, .write], 0)
      $0.facts.confinement.securityModules = ["landlock"]
      $0.try(.open, 13)
    },
    CauseCase("somebody forbade it in the portal", .portalStoredNo, .denied) {
      $0.facts.confinement.container = "flatpak"
      $0.facts.portal = PortalFacts(storedAnswer: "no")
    },
    CauseCase("the portal would ask for ever", .portalStoredAsk, .denied) {
      $0.facts.confinement.container = "flatpak"
      $0.facts.portal = PortalFacts(storedAnswer: "ask")
    },
    CauseCase("the portal has no backend", .portalService, .denied) {
      $0.facts.confinement.container = "flatpak"
      $0.facts.portal = PortalFacts(problem: "no backend implements it")
    },
  ]

  @Test(
    arguments: [(16, .busy, .busy), (28, .usbBandwidth, .present)]
      as [(Errno, CauseCode, Availability)])
  func `a device that may be used and cannot be now is allowed`(
    errno: Errno, code: CauseCode, availability: Availability
  ) {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.try(.stream, errno)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.availability == availability)
    #expect(explanation.furtherCauses.first?.code == code)
    // The program that uses the device must be found first. Bandwidth can be freed immediately.
    let title = code == .busy ? "Close the program that uses it" : "Use a lower resolution"
    #expect(explanation.remedies.first?.title.hasPrefix(title) == true)
    #expect(explanation.lookups.isEmpty == (code != .busy))
    // Commands printed with a fix are not listed as lookups.
    let shown = explanation.remedies.first?.title ?? ""
    #expect(shown.contains("'devaccess users'") == (code == .busy), "\(shown)")
  }

  @Test func `a module that does not exist is never loaded`() {
    var missing = Self.uvcvideo
    missing.isInstalled = false
    let explanation = Fixtures.camera.with { $0.lackDriver(missing) }.explain()
    #expect(explanation.cause?.code == .nodeAbsentNoDriver)
    let commands: [String] = explanation.remedies.flatMap { $0.commands }
    #expect(!commands.contains { $0.contains("modprobe") })
  }

  /// If a filter refuses every faccessat2(2) call, the result says nothing about the device.
  @Test func `a check that a filter refuses everywhere counts as not made`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.check([.read, .write], 1)
      $0.check([.read, .write], 1, path: AccessFacts.controlPath)
    }.explain()
    #expect(explanation.answer == .allowed)
    #expect(explanation.certainty == .predicted)
  }

  @Test func `a check that a filter may have refused proves nothing`() {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.seccompMode = 2
      $0.check([.read, .write], 1)
    }.explain()
    #expect(explanation.answer == .refused)
    #expect(explanation.answerCertainty == .predicted)
    #expect(explanation.cause?.isProven == false)
    #expect(explanation.decision.rule != .deviceCgroup)
  }

  @Test func `an attempt is evidence for what was tried`() {
    var fixture = Fixtures.camera
    fixture.join(Fixtures.video)
    fixture.tryOpening(13, for: [.read, .write])
    fixture.tryOpening(0, for: .read)
    #expect(fixture.explain().answer == .refused)
    fixture.facts.access.request = .open(path: "/dev/video0", flags: [.readOnly, .nonBlocking])
    #expect(fixture.explain().answer == .allowed)
    fixture.facts.access.request = .open(path: "/dev/video0", flags: [.writeOnly, .nonBlocking])
    #expect(fixture.explain().certainty == .predicted)
  }

  /// newgrp(1) is a set-user-ID program, so it is offered only if such programs work.
  @Test(arguments: [false, true])
  func `a remedy by a set-user-ID program is offered where it can work`(noNewPrivileges: Bool) {
    let explanation = Fixtures.camera.with {
      $0.facts.account.loginGroups = [Fixtures.alice, Fixtures.video]
      $0.facts.access.subject.noNewPrivileges = noNewPrivileges
    }.explain()
    let isOffered = explanation.remedies.contains { $0.commands.contains("newgrp video") }
    #expect(
      explanation.cause?.code == .groupNotRefreshed || explanation.cause?.code == .groupsDropped)
    #expect(isOffered == !noNewPrivileges)
  }

  /// Creating a file in the album, with only the access that this requires.
  static let creationCases: [CauseCase] = [
    CauseCase("adding to the own album", nil, .authorized, .allowed, from: .album()) {
      $0.create()
    },
    CauseCase("an album of somebody else's", .albumTraverse, .denied, from: .album(uid: 0, gid: 0))
    {
      $0.create()
    },
    CauseCase("an album on a read-only mount", .mountReadOnly, .restricted, from: .album()) {
      var mount = Mount(at: "/home/alice/Pictures", fstype: "ext4")
      mount.readOnly = true
      $0.facts.access.mounts.append(mount)
      $0.create()
    },
    CauseCase("an immutable album", .fileImmutable, .restricted, from: .album()) {
      $0.node("/home/alice/Pictures") { $0.flags = [.immutable] }
      $0.create()
    },
    CauseCase("an append-only album", nil, .authorized, .allowed, from: .album()) {
      $0.node("/home/alice/Pictures") { $0.flags = [.append] }
      $0.create()
    },
    CauseCase("an album that maps nobody", .usernsUnmapped, .restricted, from: .album()) {
      var mount = Mount(at: "/home/alice/Pictures", fstype: "ext4")
      let root = IDMap([IDMap.Range(inside: 0, outside: 0, length: 1)])
      mount.idmap = IDMapping(users: root, groups: root)
      $0.facts.access.mounts.append(mount)
      $0.create()
    },
    CauseCase("no album", .albumDirectoryMissing, nil, .absent, from: .album()) {
      $0.facts.access.nodes.removeAll { $0.path == "/home/alice/Pictures" }
      $0.create()
    },
  ]
}

extension Fixtures {
  /// Asks to create a file in the album.
  fileprivate mutating func create() {
    facts.access.request = Question(.kind(.album), purpose: .create)
      .request(for: "/home/alice/Pictures", type: .directory)
  }

  /// Adds the result of a program's attempt to open an object.
  fileprivate mutating func tryOpening(
    _ errno: Errno, path: String = "/dev/video0", for wanted: Permissions = [.read, .write]
  ) {
    facts.attempts.append(
      Attempt(path: path, systemCall: "openat", flags: wanted.openFlags, errno: errno))
  }

  /// Replaces the camera by a USB camera for which no node can be created.
  fileprivate mutating func lackNode(_ obstacle: HardwareFacts.USBObstacle) {
    removeDevices()
    var hardware = HardwareFacts()
    hardware.usb = [obstacle]
    facts.hardware = hardware
  }
}
