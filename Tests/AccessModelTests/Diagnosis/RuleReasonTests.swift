import AccessModel
import Testing
import UdevRules

/// Rules that remove access, that another file overrides, or that apply to another node.
@Suite struct `Rules that explain a refusal` {
  private static let late = file(
    "73-seat-late.rules", #"TAG=="uaccess", ENV{MAJOR}!="", RUN{builtin}+="uaccess""#,
    folder: "/usr/lib/udev/rules.d")

  private static func file(
    _ name: String, _ text: String, folder: String = "/etc/udev/rules.d"
  ) -> RuleFile {
    RuleFile(folder: folder, name: name, bytes: Array((text + "\n").utf8))
  }

  /// Explains a device with the given rules, on a machine on which alice is active.
  private func explanation(
    _ path: String, _ subsystem: String, mode: UInt16, gid: UInt32 = 0, tags: [String] = [],
    in sysfs: String = "virtual", _ files: [RuleFile], parents: [UdevRuleDevice] = [],
    _ change: (inout Fixtures, inout RuleFacts) -> Void = { _, _ in }
  ) -> Explanation {
    Fixtures.camera.with { fixtures in
      fixtures.askDevice(path, subsystem: subsystem, mode: mode, gid: gid, tags: tags)
      fixtures.sit()
      let name = fixtures.facts.devices[0].kernelName
      fixtures.facts.devices[0].sysfsPath = "/sys/devices/\(sysfs)/\(name)"
      var rules = RuleFacts(node: path, files: files + [Self.late], version: 252)
      rules.device = UdevRuleDevice(
        path: UdevRuleText("/devices/\(sysfs)/\(name)"), subsystem: UdevRuleText(subsystem),
        node: UdevRuleText(path), number: UdevRuleDevice.Number(major: 250, minor: 0),
        properties: ["MAJOR": "250"])
      rules.parents = parents
      rules.record = UdevRuleEvent.Record(
        tags: Set(tags.map { UdevRuleText($0) }), currentTags: Set(tags.map { UdevRuleText($0) }))
      rules.handled = 100
      rules.daemon.isReachable = true
      rules.environment.groups = ["audio": .present(29), "video": .present(44)]
      change(&fixtures, &rules)
      fixtures.facts.rules = rules
    }.explain()
  }

  private static let usual = file(
    "50-udev-default.rules", #"SUBSYSTEM=="input", GROUP="audio", MODE="0660""#,
    folder: "/usr/lib/udev/rules.d")

  @Test func `a rule that takes writing away from the group is named, and taken out`() throws {
    let explanation = explanation(
      "/dev/input/event5", "input", mode: 0o640, gid: 29,
      [Self.file("99-tool.rules", #"KERNEL=="event*", MODE="0640""#), Self.usual]
    ) { fixtures, _ in fixtures.join(29) }
    let cause = try #require(explanation.cause)
    #expect(cause.code == .modeGroup)
    #expect(
      cause.summary.hasSuffix(
        #"50-udev-default.rules:1 gives access, and /etc/udev/rules.d/99-tool.rules:1, which comes "#
          + #"later, sets MODE="0640"."#))
    let fix = try #require(explanation.remedies.first)
    #expect(fix.commands.first == "sed -i '1s/^/#/' /etc/udev/rules.d/99-tool.rules")
    #expect(fix.isProven && fix.lasts == nil)
  }

  @Test func `a rule without which the group would not get in either is not blamed`() throws {
    let explanation = explanation(
      "/dev/input/event5", "input", mode: 0o640, gid: 29,
      [Self.file("99-tool.rules", #"KERNEL=="event*", MODE="0640", GROUP="audio""#)]
    ) { fixtures, _ in fixtures.join(29) }
    #expect(!explanation.remedies.contains { $0.commands.joined().contains("sed") })
  }

  private static let package = file(
    "10-board.rules",
    #"SUBSYSTEM=="vchiq", GROUP="video"\#n"# + #"SUBSYSTEM=="vc-sm", GROUP="video""#,
    folder: "/lib/udev/rules.d")

  @Test(arguments: [
    (#"SUBSYSTEM=="vchiq", GROUP="video""#, "rm /etc/udev/rules.d/10-board.rules"),
    (
      #"SUBSYSTEM=="other", GROUP="audio""#,
      "cp /lib/udev/rules.d/10-board.rules /etc/udev/rules.d/10-board-local.rules"
    ),
  ])
  func `a package's rule that a file of the same name replaces is named`(
    own: String, command: String
  ) throws {
    let explanation = explanation(
      "/dev/vcsm", "vc-sm", mode: 0o600, [Self.file("10-board.rules", own), Self.package]
    ) { fixtures, _ in fixtures.join(Fixtures.video) }
    let summary = try #require(explanation.cause?.summary)
    #expect(summary.contains("/lib/udev/rules.d/10-board.rules:2 matches /dev/vcsm"))
    #expect(summary.contains("the file: /etc/udev/rules.d/10-board.rules overrides it"))
    #expect(explanation.remedies.first?.commands.first == command)
  }

  @Test func `a rule for the hidraw node stays, and the raw USB node gets one of its own`() throws {
    let line =
      #"KERNEL=="hidraw*", SUBSYSTEM=="hidraw", ATTRS{idVendor}=="20a0", TAG+="uaccess""#
    let explanation = explanation(
      "/dev/bus/usb/001/008", "usb", mode: 0o664, [Self.file("41-key.rules", line)]
    ) { fixtures, rules in
      rules.device = UdevRuleDevice(
        path: "/devices/usb1/1-2", subsystem: "usb", node: "/dev/bus/usb/001/008",
        number: UdevRuleDevice.Number(major: 250, minor: 0),
        attributes: ["idVendor": .present("20a0"), "idProduct": .present("42b2")],
        properties: ["MAJOR": "250", "DEVTYPE": "usb_device"])
    }
    let command = try #require(explanation.remedies.first?.commands.first)
    #expect(command.contains(#"'SUBSYSTEM=="usb", ATTRS{idVendor}=="20a0", TAG+="uaccess"'"#))
    #expect(command.hasSuffix("> /etc/udev/rules.d/41-key-own.rules"))
  }

  @Test(arguments: ["", #", GROUP="nosuch""#])
  func `a tag that is recorded and comes too late is named with its file`(group: String) throws {
    let explanation = explanation(
      "/dev/hidraw1", "hidraw", mode: 0o600, tags: ["uaccess"],
      [Self.file("99-tool.rules", #"SUBSYSTEM=="hidraw", TAG+="uaccess", MODE="660""# + group)]
    ) { _, rules in rules.environment.groups["nosuch"] = .absent }
    let cause = try #require(explanation.cause)
    #expect(cause.code == .uaccessNotTagged && cause.isProven)
    #expect(cause.summary.contains("/etc/udev/rules.d/99-tool.rules:1 sets it after"))
    #expect(
      explanation.remedies.first?.commands.first
        == "mv /etc/udev/rules.d/99-tool.rules /etc/udev/rules.d/72-tool.rules")
  }

  @Test func `a rule that takes the node from the user's group is named, and answered`() throws {
    let printers = Self.file(
      "50-udev-default.rules", #"SUBSYSTEM=="usb", GROUP="video", MODE="0660""#,
      folder: "/usr/lib/udev/rules.d")
    let scanners = Self.file(
      "65-libsane.rules", #"SUBSYSTEM=="usb", GROUP="audio", MODE="0664""#,
      folder: "/usr/lib/udev/rules.d")
    let explanation = explanation(
      "/dev/bus/usb/001/008", "usb", mode: 0o664, gid: 29, [printers, scanners]
    ) { fixtures, _ in
      fixtures.join(Fixtures.video)
      fixtures.serve("cups.service")
    }
    let summary = try #require(explanation.cause?.summary)
    #expect(
      summary.contains("50-udev-default.rules:1 gives it to group video, which alice (1000) is in"))
    #expect(summary.contains("but /usr/lib/udev/rules.d/65-libsane.rules:1, which comes later"))
    #expect(explanation.remedies.first?.commands.first?.contains(#"GROUP="video""#) == true)
  }

  // MARK: - Rules that remove access, and rules that almost apply

  @Test(arguments: ["/usr/lib/udev/rules.d", "/etc/udev/rules.d"])
  func `a rule that takes the tag away is named with the one that gave it`(folder: String) throws {
    let giving = Self.file(
      "60-wheel.rules", #"SUBSYSTEM=="hidraw", MODE="0660", TAG+="uaccess""#,
      folder: "/usr/lib/udev/rules.d")
    let taking = Self.file(
      "85-lock.rules", #"KERNEL=="hidraw*", MODE="0600", TAG-="uaccess""#, folder: folder)
    let explanation = explanation("/dev/hidraw3", "hidraw", mode: 0o600, [giving, taking])
    let cause = try #require(explanation.cause)
    #expect(cause.code == .uaccessNotTagged)
    #expect(
      cause.summary.hasSuffix(
        "/usr/lib/udev/rules.d/60-wheel.rules:1 sets the tag, but \(folder)/85-lock.rules:1, "
          + #"which comes later, sets MODE="0600" and TAG-="uaccess"."#))
    let commands = try #require(explanation.remedies.first?.commands)
    let copy = "cp /usr/lib/udev/rules.d/85-lock.rules /etc/udev/rules.d/85-lock.rules"
    #expect(commands.contains(copy) == (folder == "/usr/lib/udev/rules.d"))
    #expect(commands.contains("sed -i '1s/^/#/' /etc/udev/rules.d/85-lock.rules"))
    #expect(explanation.remedies.first?.lasts == nil)
  }

  @Test(arguments: [(231, true), (243, false), (251, false), (255, true)])
  func `udevadm is given options that it has`(version: Int, hasSystemd: Bool) throws {
    let explanation = explanation("/dev/hidraw5", "hidraw", mode: 0o600, []) { _, rules in
      let device = rules.device
      rules = RuleFacts(
        node: "/dev/hidraw5", files: [Self.late], version: UdevRuleVersion(version))
      rules.device = device
      rules.record = UdevRuleEvent.Record()
      rules.handled = 100
      rules.daemon = RuleFacts.Daemon(isReachable: true, hasSystemd: hasSystemd)
    }
    let commands = try #require(
      explanation.remedies.first { $0.commands.contains { $0.contains(#"TAG+="uaccess""#) } })
    #expect(
      commands.commands.dropFirst(2)
        == (version == 255
        ? ["udevadm trigger --settle --name-match=/dev/hidraw5"]
        : [
          "udevadm trigger --subsystem-match=hidraw --sysname-match=hidraw5", "udevadm settle",
        ])[...])
  }

  @Test func `what changed a node after udev may change it again`() throws {
    let rule = Self.file(
      "50-udev-default.rules",
      #"KERNEL=="vhost-net", MODE="0666", OPTIONS+="static_node=vhost-net""#,
      folder: "/usr/lib/udev/rules.d")
    let explanation = explanation("/dev/vhost-net", "misc", mode: 0o600, [rule]) { fixtures, _ in
      fixtures.facts.confinement.hasSystemd = true
    }
    #expect(explanation.cause?.summary.contains("changed it afterwards") == true)
    let lasting = try #require(explanation.remedies.first)
    #expect(
      lasting.commands.first
        == "printf '%s\\n' 'z /dev/vhost-net 0666 root root -' > "
        + "/etc/tmpfiles.d/devaccess-vhost-net.conf")
    #expect(lasting.assumes != nil && lasting.lasts == nil)
    let event = try #require(
      explanation.remedies.first { $0.commands.contains { $0.hasPrefix("udevadm trigger") } })
    #expect(event.lasts != nil)
  }

  @Test func `a group of an image is copied before a user is added to it`() throws {
    let explanation = Fixtures.camera.with { fixtures in
      fixtures.facts.account.home = "/var/home/alice"
    }.explain()
    #expect(
      explanation.remedies.first?.commands == [
        "grep -q '^video:' /etc/group || getent group video >> /etc/group",
        "usermod -aG video alice",
      ])
  }
}
