import AccessModel
import DevicePermissionsTesting
import JSONReading
import JSONText
import Testing
import UdevRules

@testable import DeviceAccessCommands

@Suite struct `Rules of a device` {
  /// Returns a snapshot of a camera with a user's rule that does not match.
  static func snapshot(
    _ text: String = #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046D", MODE="0666""#
  ) throws -> TemporaryFile {
    var facts = Samples.facts
    facts.devices[0].tags = ["uaccess"]
    facts.rules = rules(text)
    return try TemporaryFile(try JSONWriter.encode(facts))
  }

  static func rules(_ text: String) -> RuleFacts {
    let device = UdevRuleDevice(
      path: "/devices/usb1/1-2/video4linux/video0", subsystem: "video4linux",
      node: "/dev/video0", number: UdevRuleDevice.Number(major: 81, minor: 0),
      attributes: ["idVendor": .absent, "serial": .absent])
    let parent = UdevRuleDevice(
      path: "/devices/usb1/1-2", subsystem: "usb",
      attributes: ["idVendor": .present("046d"), "serial": .present("SN12345678")])
    let files = [
      RuleFile(
        folder: "/etc/udev/rules.d", name: "99-camera.rules", bytes: Array((text + "\n").utf8),
        modified: 10),
      RuleFile(
        folder: "/usr/lib/udev/rules.d", name: "50-udev-default.rules",
        bytes: Array(#"SUBSYSTEM=="video4linux", GROUP="video", TAG+="uaccess""#.utf8) + [10]),
    ]
    var rules = RuleFacts(node: "/dev/video0", files: files, version: 252)
    rules.device = device
    rules.parents = [parent]
    rules.record = UdevRuleEvent.Record()
    rules.handled = 100
    rules.daemon.isReachable = true
    rules.environment.groups = ["video": .present(44)]
    return rules
  }

  private func run(_ arguments: String..., on file: TemporaryFile) async -> CommandResult {
    await CommandResult.run(["rules", "--from", file.path] + arguments)
  }

  @Test(arguments: [
    ("/nonexistent", 3, "/nonexistent does not exist"),
    ("/dev/video0/", 3, "/dev/video0 is not a directory"),
    ("/home", 3, "/home is not a device"), ("albun", 64, "the kinds are camera"),
  ])
  func `of what is no device are an error that says why`(
    word: String, status: Int32, reason: String
  ) async {
    let result = await CommandResult.run(["rules", word])
    #expect(result.status.rawValue == status)
    #expect(result.output == "")
    #expect(result.hasOneErrorLine && result.errors.contains(reason), "\(result.errors)")
    #expect(!result.errors.contains("album"))
  }

  @Test func `are told in their order, with the lines that decide`() async throws {
    let result = await run(on: try Self.snapshot())
    #expect(
      result.output == """
        /dev/video0 (/sys/devices/usb1/1-2/video4linux/video0), event add, systemd 252
        /usr/lib/udev/rules.d/50-udev-default.rules:1
            GROUP="video": 44
            TAG+="uaccess"

        mode         0660  because a rule sets a group
        owner              no rule sets it
        group        44    /usr/lib/udev/rules.d/50-udev-default.rules:1
        tag uaccess        /usr/lib/udev/rules.d/50-udev-default.rules:1

        ✗ /etc/udev/rules.d/99-camera.rules:1 has no effect
            SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046D", MODE="0666"
          ATTRS{idVendor}=="046D" does not match: its parent 1-2 has "046d".
            Fix: Replace ATTRS{idVendor}=="046D" with ATTRS{idVendor}=="046d".
              sed -i '1c\\SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", MODE="0666"' /etc/udev/rules.d/99-camera.rules
              udevadm control --reload
              udevadm trigger --settle --name-match=/dev/video0

        """)
    #expect(result.status == .allowed)
  }

  @Test func `of a device that nothing tells of are undetermined`() async throws {
    var facts = Samples.facts
    facts.rules = Self.rules(#"KERNEL=="video0", MODE="0666""#)
    facts.rules?.device = nil
    for reason in ["it is not in sysfs", "/sys: it has no dev/char"] {
      if reason.hasPrefix("/") {
        facts.devices = []
        facts.unobserved = [
          Unobserved(Unobserved.devicesLayer, at: "/sys", reason: "it has no dev/char")
        ]
      }
      let file = try TemporaryFile(try JSONWriter.encode(facts))
      for arguments in [[], ["--rule", "99-camera.rules"], ["--json"]] {
        let result = await CommandResult.run(["rules", "--from", file.path] + arguments)
        #expect(result.status == .undetermined)
        #expect(result.hasOneErrorLine)
        #expect(result.errors.contains("cannot identify the device at /dev/video0: \(reason)"))
      }
    }
    // If all devices are known, the absence is certain.
    facts.unobserved = []
    let file = try TemporaryFile(try JSONWriter.encode(facts))
    let result = await CommandResult.run(["rules", "--from", file.path])
    #expect(result.output.contains("No device has /dev/video0"))
  }

  @Test func `of somebody's own are explained and mended`() async throws {
    let result = await run("--rule", "99-camera.rules", on: try Self.snapshot())
    #expect(
      result.output == """
        /dev/video0 (/sys/devices/usb1/1-2/video4linux/video0), event add, systemd 252
        ✗ /etc/udev/rules.d/99-camera.rules:1 has no effect
            SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046D", MODE="0666"
          ATTRS{idVendor}=="046D" does not match: its parent 1-2 has "046d".
            Fix: Replace ATTRS{idVendor}=="046D" with ATTRS{idVendor}=="046d".
              sed -i '1c\\SUBSYSTEM=="video4linux", ATTRS{idVendor}=="046d", MODE="0666"' /etc/udev/rules.d/99-camera.rules
              udevadm control --reload
              udevadm trigger --settle --name-match=/dev/video0

        """)
    #expect(result.status == .refused)
  }

  @Test func `that take effect are allowed, and undetermined ones say why`() async throws {
    let good = try Self.snapshot(#"KERNEL=="video0", MODE="0666""#)
    let pending = await run("--rule", "99-camera.rules:1", on: good)
    // The node still has mode 0660.
    #expect(pending.status == .refused)
    #expect(
      pending.output.contains("✗ /etc/udev/rules.d/99-camera.rules:1 will take effect at the next"))
    let done = try Self.snapshot(#"KERNEL=="video0", MODE="0660""#)
    #expect(await run("--rule", "99-camera.rules:1", on: done).status == .allowed)
    let unknown = try Self.snapshot(#"PROGRAM=="/bin/x\#u{1b}[2J", MODE="0666""#)
    let result = await run("--rule", "99-camera.rules:1", on: unknown)
    #expect(result.status == .undetermined)
    #expect(result.output.contains(#""/bin/x\x1b[2J""#))
    #expect(!result.output.contains("\u{1b}"))
  }

  @Test func `of which nobody knows whether udev applied them are undetermined`() async throws {
    var facts = Samples.facts
    var rules = Self.rules(#"KERNEL=="video0", MODE="0660""#)
    rules.record = nil
    rules.handled = nil
    for isReachable in [nil, true] {
      rules.daemon.isReachable = isReachable
      facts.rules = rules
      let file = try TemporaryFile(try JSONWriter.encode(facts))
      let result = await run("--rule", "99-camera.rules:1", on: file)
      #expect(result.status == .undetermined)
      #expect(result.output.contains("perhaps"))
    }
    rules.daemon.isReachable = false
    facts.rules = rules
    let file = try TemporaryFile(try JSONWriter.encode(facts))
    #expect(await run("--rule", "99-camera.rules:1", on: file).status == .refused)
  }

  @Test func `say in JSON whether a part of a line takes effect`() async throws {
    for (line, isPartial) in [
      (#"SUBSYSTEM=="video4linux", GROUP="nobody-has-it", TAG+="x""#, true),
      (#"SUBSYSTEM=="tty", TAG+="x""#, false),
    ] {
      var facts = Samples.facts
      var rules = Self.rules(line)
      rules.environment.groups["nobody-has-it"] = .absent
      facts.rules = rules
      let file = try TemporaryFile(try JSONWriter.encode(facts))
      let result = await run("--rule", "99-camera.rules", "--json", on: file)
      let value = try ParsedJSON(parsing: Array(result.output.utf8))
      guard case .array(let lines)? = value.members?["rule"] else {
        Issue.record("\(result.output)")
        return
      }
      #expect(lines.first?.members?["effect"] == .string("ineffective"))
      #expect(lines.first?.members?["partial"] == .bool(isPartial))
    }
  }

  @Test func `are not looked for in what is no regular file`() async throws {
    var facts = Samples.facts
    let files = [RuleFile(folder: "/etc/udev/rules.d", name: "10-fifo.rules", state: .other)]
    var rules = RuleFacts(node: "/dev/video0", files: files, version: 252)
    rules.device = Self.rules("#").device
    facts.rules = rules
    let file = try TemporaryFile(try JSONWriter.encode(facts))
    let result = await run("--rule", "10-fifo.rules", on: file)
    #expect(result.status == .absent && result.output == "")
    #expect(
      result.errors.hasSuffix(
        " 10-fifo.rules is not a regular file: udevd does not read it\n"))
  }

  @Test(arguments: [
    ["--rule", "nosuch.rules"], ["--rule", "/etc/udev/rules.d/nosuch.rules:3"],
    ["--rule", "99-camera.rules:3"],
  ])
  func `of no file get one line`(arguments: [String]) async throws {
    let file = try Self.snapshot()
    let result = await CommandResult.run(["rules", "--from", file.path] + arguments)
    #expect(result.status == .absent)
    #expect(result.hasOneErrorLine)
  }

  @Test(arguments: [
    ["rules"], ["rules", "camera", "--action", "fly"], ["rules", "camera", "--rule", ":7"],
    ["rules", "camera", "--rule", "a.rules:0"],
    ["rules", "camera", "--rule=a:99999999999999999999"],
    ["rules", "camera", "--example"], ["check", "camera", "--rule=x"],
  ])
  func `are asked for in one way`(arguments: [String]) async {
    let result = await CommandResult.run(arguments)
    #expect(result.status == .usage)
    #expect(result.hasOneErrorLine)
  }

  @Test func `are not in older snapshots`() async throws {
    let file = try TemporaryFile(try JSONWriter.encode(Samples.facts))
    let result = await run(on: file)
    #expect(result.status == .undetermined)
    #expect(result.hasOneErrorLine)
  }

  @Test(arguments: [[], ["--rule", "99-camera.rules"], ["--action=remove"]])
  func `fit the schema`(arguments: [String]) async throws {
    let checker = try SchemaChecker(Repository.read("Documentation/devaccess.schema.json"))
    let file = try Self.snapshot()
    let result = await CommandResult.run(["rules", "--json", "--from", file.path] + arguments)
    let value = try ParsedJSON(parsing: Array(result.output.utf8))
    #expect(checker.problems(value, definition: "rules") == [])
    let snapshot = try ParsedJSON(parsing: Array(try file.contents().utf8))
    #expect(checker.problems(snapshot, definition: "snapshot_document") == [])
  }

  @Test func `stay the same in a snapshot, and lose serial numbers in a redacted one`() throws {
    let text = #"ATTRS{serial}=="SN12345678", OWNER="alice", MODE="0600""#
    let file = try Self.snapshot(text)
    let bytes = Array(try file.contents().utf8)
    let facts = try SnapshotFile.decode(bytes, name: "it").get()
    #expect(facts.rules == Self.rules(text))
    let redacted = try #require(facts.redacted())
    let words = try JSONWriter.encode(redacted)
    #expect(!words.contains("SN12345678"))
    // The rule still matches the device.
    let before = try #require(facts.rules?.report("add"))
    let after = try #require(redacted.rules?.report("add"))
    #expect(before.outcomes.map(\.verdict).count == after.outcomes.map(\.verdict).count)
    #expect(after.node.mode == before.node.mode)
    #expect(after.node.mode == .value(0o600))
  }
}
