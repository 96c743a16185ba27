import Testing

@testable import AccessModel

/// Changes that are only effective together, and conditions that the user can check.
struct RemedySequenceTests {
  /// A service whose device policy refuses the camera and whose user is not in its group.
  private static let service = Fixtures.camera.with {
    $0.serve("motion.service")
    $0.facts.origin = SubjectOrigin(.unit, name: "motion.service", source: .files)
    $0.facts.access.subject.deviceCgroup = DeviceCgroup(defaultBehavior: .deny, exceptions: [])
    var service = ServiceFacts()
    service.policies = [
      ServiceFacts.Policy(
        unit: "motion.service", list: DeviceCgroup(defaultBehavior: .deny, exceptions: []))
    ]
    $0.facts.confinement.service = service
  }

  @Test
  func `a device policy and a missing group of a service are mended by one file`() throws {
    let explanation = Self.service.explain()
    #expect(explanation.answer == .refused)
    let remedies = explanation.remedies.filter(\.isProven)
    let joined = try #require(
      remedies.first { $0.commands.joined().contains("SupplementaryGroups=video") })
    let file = "/etc/systemd/system/motion.service.d/devaccess.conf"
    #expect(joined.commands.count == 4)
    #expect(joined.commands.first == "mkdir -p /etc/systemd/system/motion.service.d")
    #expect(
      ShellWords(joined.commands[1]).words == [
        "printf", "%s\\n", "[Service]", "SupplementaryGroups=video",
        "DeviceAllow=char-video4linux rw", ">>", file,
      ])
    #expect(
      joined.commands.suffix(2) == ["systemctl daemon-reload", "systemctl restart motion.service"])
    for remedy in remedies {
      #expect(remedy.commands.filter { $0.hasPrefix("systemctl restart") }.count <= 1)
    }
  }

  @Test
  func `a service whose own slice refuses as well gets a file for each`() throws {
    let explanation = Self.service.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.service?.policies.append(
        ServiceFacts.Policy(
          unit: "cams.slice", list: DeviceCgroup(defaultBehavior: .deny, exceptions: [])))
    }.explain()
    let commands = try #require(explanation.remedies.first { $0.isProven }).commands
    #expect(commands.contains { $0.contains("motion.service.d/") && $0.contains("[Service]") })
    #expect(commands.contains { $0.contains("cams.slice.d/") && $0.contains("[Slice]") })
    #expect(commands.last == "systemctl restart motion.service")
  }

  @Test
  func `a device that a service does not see is allowed in a slice that refuses it, too`() throws {
    var hidden = Self.service
    hidden.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
    hidden.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
    hidden.facts.confinement.service?.policies.append(
      ServiceFacts.Policy(
        unit: "cams.slice", list: DeviceCgroup(defaultBehavior: .deny, exceptions: [])))
    let remedy = try #require(
      hidden.explain().remedies.first { $0.commands.joined().contains("BindPaths=-/dev/video0") })
    #expect(remedy.commands.contains { $0.contains("cams.slice.d/") && $0.contains("[Slice]") })
    #expect(remedy.scope?.contains("cams.slice") == true)
    #expect(remedy.assumes == "the user that motion.service runs as has permission to use the node")
  }

  @Test(
    arguments: [
      // The effects of PrivateDevices=, which also closes the device policy, and of
      // TemporaryFileSystem=.
      (false, false, "DeviceAllow=/dev/video0 rw"), (true, false, nil),
      (true, true, "DeviceAllow=/dev/video0 rw"),
    ] as [(Bool, Bool, String?)])
  func `a device that a service does not see is bound into its own file system`(
    isEmptied: Bool, isClosed: Bool, allowed: String?
  ) throws {
    var hidden = Self.service
    hidden.facts.access.nodes.removeAll { $0.path == "/dev/video0" }
    hidden.facts.access.mounts[1] = Mount(at: "/dev", fstype: "tmpfs")
    hidden.facts.access.mounts[1].nodev = isEmptied
    if !isClosed { hidden.facts.confinement.service?.policies = [] }
    let commands = try #require(hidden.explain().remedies.first).commands
    let text = try #require(commands.first { $0.hasPrefix("printf") })
    let settings = ShellWords(text).words.dropFirst(3).dropLast(2)
    #expect(Array(settings) == ["BindPaths=-/dev/video0"] + [allowed].compactMap(\.self))
  }

  @Test
  func `a remedy adds to a file that the remedy for another device may have written`() {
    var count = 0
    for facts in RemedyTests.everything {
      for command in facts.explain().remedies.flatMap(\.commands) {
        let words = ShellWords(command).words
        guard let file = words.last, words.first == "printf",
          file.hasPrefix("/etc/udev/rules.d/") || file.hasPrefix("/etc/systemd/system/")
        else { continue }
        count += 1
        #expect(words.dropLast().last == ">>", "\(command)")
      }
    }
    #expect(count > 0)
  }

  @Test
  func `no remedy leaves its condition to be guessed`() {
    for facts in RemedyTests.everything {
      for remedy in facts.explain().remedies {
        #expect(!remedy.changes.isEmpty || !remedy.isProven, "\(remedy.title)")
        let condition = remedy.assumes ?? ""
        #expect(!condition.contains("outside what was observed"), "\(remedy.title)")
        #expect(!condition.hasSuffix("."), "\(condition)")
      }
    }
  }

  @Test(arguments: ["docker", "podman"])
  func `what gives a container the device does not depend on the policy that it changes`(
    engine: String
  ) throws {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.facts.confinement.container = engine
      $0.facts.access.subject.unobserved.insert(.deviceCgroup)
      $0.check([.read, .write], 1)
    }.explain()
    let passed = try #require(
      explanation.remedies.first { $0.options == ["--device=/dev/video0"] })
    #expect(passed.assumes == nil)
  }

  @Test
  func `a container is not given a node that the machine lacks`() {
    let explanation = Fixtures.camera.with {
      $0.contain("docker")
      $0.lackDriver(
        HardwareFacts.Module(
          name: "uvcvideo", isLoaded: false, isInstalled: true, loadErrno: 1))
    }.explain()
    #expect(explanation.cause?.code == .moduleLoadRefused)
    #expect(explanation.remedies.allSatisfy { $0.options.isEmpty })
    #expect(
      explanation.remedies.first?.commands == [
        "modprobe uvcvideo", "echo uvcvideo > /etc/modules-load.d/devaccess-uvcvideo.conf",
      ])
  }

  @Test(arguments: [(":video_output:", false), (":capture:video_output:", true)])
  func `a loopback is loaded anew only where it shows as both`(
    capabilities: String, isReloaded: Bool
  ) {
    let explanation = Fixtures.camera.with {
      $0.join(Fixtures.video)
      $0.device {
        $0.driver = "v4l2 loopback"
        $0.properties["ID_V4L_CAPABILITIES"] = capabilities
      }
    }.explain()
    let commands = explanation.remedies.flatMap(\.commands)
    #expect(commands.contains { $0.contains("exclusive_caps=1") } == isReloaded)
  }

  /// Nodes and names are preserved if modprobe.d(5) and a shell can represent them.
  @Test(
    arguments: [
      (["Alpha"], "exclusive_caps=1 video_nr=20 card_label=\"Alpha\"", true),
      (
        ["My Cam (1)", "B"],
        "exclusive_caps=1,1 devices=2 video_nr=20,21 card_label=\"My Cam (1),B\"", true
      ),
      (["It's"], "exclusive_caps=1 video_nr=20", false),
      (["a,b"], "exclusive_caps=1 video_nr=20", false),
      (["a\"b"], "exclusive_caps=1 video_nr=20", false),
      (["A", " "], "exclusive_caps=1,1 devices=2 video_nr=20,21", false),
      ([], "exclusive_caps=1", false),
    ])
  func `a loopback is loaded anew as it was`(names: [String], options: String, hasNames: Bool) {
    let devices = names.enumerated().map { index, name in
      var device = DeviceFacts(
        node: "/dev/video\(20 + index)",
        sysfsPath: "/sys/devices/virtual/video4linux/video\(index)",
        subsystem: "video4linux", kernelName: "video\(20 + index)")
      (device.driver, device.name) = ("v4l2 loopback", name)
      return device
    }
    let found = LoopbackOptions.exclusive([Fixtures.camera.facts.devices[0]] + devices)
    #expect(found.options == options && found.hasNames == hasNames)
  }

  @Test
  func `a user who cannot reach what they own is not told to change it`() {
    // Only root can search the directory, but the user owns the file in it.
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/closed/own", .regular, mode: 0o000, uid: Fixtures.alice)
      $0.add("/srv/closed", .directory, mode: 0o700)
    }.explain()
    #expect(!explanation.remedies.isEmpty)
    for remedy in explanation.remedies {
      var isOpen = false
      for step in remedy.steps {
        let changesFile = step.commands.contains { $0.hasSuffix("/srv/closed/own") }
        if changesFile, !isOpen { #expect(step.actor == .administrator, "\(remedy.title)") }
        isOpen = isOpen || step.commands.contains { $0.hasSuffix("/srv/closed") }
      }
    }
  }

  @Test
  func `a user who cannot reach any program is not told to run one`() {
    // The user cannot search their own root directory, and therefore cannot reach any program.
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/own", .regular, mode: 0o644, uid: Fixtures.alice)
      $0.node("/") { node in
        node.mode = 0o600
        node.uid = Fixtures.alice
      }
    }.explain()
    let first = explanation.remedies.compactMap(\.steps.first).filter { !$0.commands.isEmpty }
    #expect(!first.isEmpty)
    #expect(first.allSatisfy { $0.actor == .administrator })
  }

  @Test
  func `a flag that is taken off names everybody who can then write`() throws {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/pool/file", .regular, mode: 0o666)
      $0.add("/srv/pool", .directory, mode: 0o750, gid: Fixtures.video)
      $0.join(Fixtures.video)
      $0.node("/srv/pool/file") { $0.flags = [.immutable] }
    }.explain()
    let remedy = try #require(explanation.remedies.first { $0.commands[0].hasPrefix("chattr -i") })
    let excess = try #require(remedy.excess)
    #expect(excess.contains("every member of group video (44) write access to /srv/pool/file"))
    #expect(!excess.contains("everybody") && !excess.contains("alice"))
  }

  @Test
  func `a note names what no change gets past`() {
    let explanation = Fixtures.camera.with {
      $0.ask("/srv/box", .directory, mode: 0o700)
      $0.facts.access.request = .open(path: "/srv/box", flags: [.readWrite])
    }.explain()
    #expect(explanation.note == "/srv/box is a directory, which no program can open for writing.")
  }
}
