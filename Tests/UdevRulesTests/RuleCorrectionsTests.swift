import AccessModel
import Testing
import UdevRules

@Suite struct `A rule that is mended` {
  private static let rule = RuleReference(file: "60-a.rules", line: 1)

  private func fix(_ answer: RuleAnswer) throws -> RuleFix {
    try #require(
      (answer.verdicts.compactMap(\.finding) + answer.findings).lazy.compactMap(\.fix).first)
  }

  @Test func `asks a parent for what it looked for as a file of the device`() throws {
    var facts = RuleSample.facts([
      RuleSample.file("60-a.rules", #"KERNEL=="video0", TEST=="idVendor", MODE="0666""#)
    ])
    facts.environment.files[
      "/sys/devices/pci0/usb1/1-2/1-2:1.0/video4linux/video0/idVendor"] = .absent
    let answer = RuleAnswer(facts, node: nil, rule: Self.rule)
    #expect(answer.verdicts.first?.mismatch?.match == #"TEST=="idVendor""#)
    let line = try fix(answer).line
    #expect(line == #"KERNEL=="video0", ATTRS{idVendor}=="?*", MODE="0666""#)
  }

  @Test(arguments: [UdevRuleVersion(252, release: 39), 252])
  func `comes after the tag that it asks for, which later events may have`(
    version: UdevRuleVersion
  ) throws {
    var facts = RuleSample.facts([
      RuleSample.file("60-a.rules", #"TAG=="seen", SUBSYSTEM=="video4linux", MODE="0666""#),
      RuleSample.file("70-b.rules", #"SUBSYSTEM=="video4linux", TAG+="seen""#),
    ])
    facts.environment.version = version
    facts.record = UdevRuleEvent.Record(tags: ["seen"], currentTags: ["seen"])
    let answer = RuleAnswer(facts, node: nil, rule: Self.rule)
    let verdict = try #require(answer.verdicts.first)
    #expect(verdict.effect == .ineffective)
    #expect(verdict.finding?.code == .tooEarly)
    #expect(verdict.finding?.summary.contains("/etc/udev/rules.d/70-b.rules:1") == true)
    #expect(verdict.mismatch?.match == #"TAG=="seen""#)
    #expect(
      try fix(answer).commands.first
        == "mv /etc/udev/rules.d/60-a.rules /etc/udev/rules.d/72-a.rules")
  }

  @Test func `comes after the program of udev's that tells what it asks for`() throws {
    let program = RuleSample.file(
      "70-b.rules", #"SUBSYSTEM=="video4linux", IMPORT{program}="v4l_id $devnode""#)
    let mine = RuleSample.file("60-a.rules", #"ENV{ID_V4L_PRODUCT}=="Cam", MODE="0666""#)
    var facts = RuleSample.facts([mine, program])
    facts.record = UdevRuleEvent.Record(properties: ["ID_V4L_PRODUCT": "Cam", "OTHER": "1"])
    let run = try #require(facts.pastRun(ofProgram: "v4l_id /dev/video0"))
    #expect(run.succeeds)
    #expect(run.properties == ["ID_V4L_PRODUCT": "Cam"])
    #expect(facts.pastRun(ofProgram: "/usr/lib/udev/v4l_id /dev/video0") == run)
    #expect(facts.pastRun(ofProgram: "/usr/local/bin/v4l_id /dev/video0") == nil)
    #expect(facts.pastRun(ofProgram: "fido_id /dev/video0") == nil)
    #expect(facts.pastRun(of: "hwdb 'camera:x'")?.properties == ["OTHER": "1"])
    facts.environment.builtins["v4l_id /dev/video0"] = run
    let answer = RuleAnswer(facts, node: nil, rule: Self.rule)
    #expect(answer.verdicts.first?.finding?.code == .tooEarly)
    #expect(
      try fix(answer).commands.first
        == "mv /etc/udev/rules.d/60-a.rules /etc/udev/rules.d/72-a.rules")

    // A rule that sets such a property overrides the output of the program.
    var others = RuleSample.facts([
      RuleSample.file("60-a.rules", #"ENV{ID_V4L_PRODUCT}="Cam""#), program,
    ])
    others.record = facts.record
    #expect(others.pastRun(ofProgram: "v4l_id /dev/video0") == nil)
  }

  @Test func `names the line with the program on which it depends`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "60-a.rules", line: 2),
      RuleSample.file(
        "60-a.rules",
        #"SUBSYSTEM=="video4linux", IMPORT{program}="ask $devnode""# + "\n"
          + #"ENV{ROLE}=="front", SYMLINK+="front""#))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.code == .undetermined)
    #expect(finding.summary.contains("/etc/udev/rules.d/60-a.rules:1"))
  }

  @Test func `shows an attribute with the blanks at its end`() throws {
    let answer = RuleSample.answer(
      Self.rule, RuleSample.file("60-a.rules", #"ATTR{name}=="Another", MODE="0666""#))
    #expect(answer.verdicts.first?.mismatch?.found == "A Camera \t")
    #expect(
      try fix(answer).line == #"SUBSYSTEM=="video4linux", ATTR{name}=="A Camera", MODE="0666""#)
  }
}

@Suite struct `A rule that something undoes` {
  private static let mine = RuleReference(file: "70-a.rules", line: 1)

  private static func node(_ mode: UInt16, gid: UInt32 = 44) -> Node {
    var node = Node(path: "/dev/video0", type: .characterDevice, mode: mode, uid: 0, gid: gid)
    node.rdev = DeviceNumber(major: 81, minor: 0)
    return node
  }

  @Test func `has its device excepted from another rule's command`() throws {
    let answer = RuleAnswer(
      RuleSample.facts([
        RuleSample.file("70-a.rules", #"KERNEL=="video0", MODE="0666""#),
        RuleSample.file(
          "95-b.rules", #"SUBSYSTEM=="video4linux", RUN+="/bin/chmod 0600 $devnode""#),
      ]), node: Self.node(0o600), rule: Self.mine)
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .changedAfterwards)
    #expect(finding.place?.path == "/etc/udev/rules.d/95-b.rules")
    let commands = try #require(finding.fix).commands
    #expect(
      commands.first == """
        sed -i '1c\\KERNEL!="video0", SUBSYSTEM=="video4linux", RUN+="/bin/chmod 0600 $devnode"' \
        /etc/udev/rules.d/95-b.rules
        """)
    #expect(commands.last == "udevadm trigger --settle --name-match=/dev/video0")
  }

  @Test(arguments: [#"SYMLINK+="cam""#, #"IMPORT{db}!="NOTHING""#])
  func `keeps a line that also does something else as it is`(_ other: String) throws {
    let facts = RuleSample.facts([
      RuleSample.file("70-a.rules", #"KERNEL=="video0", MODE="0666""#),
      RuleSample.file(
        "95-b.rules",
        #"SUBSYSTEM=="video4linux", \#(other), RUN+="/bin/chmod 0600 $devnode""#),
    ])
    let answer = RuleAnswer(facts, node: Self.node(0o600), rule: Self.mine)
    #expect(answer.findings.first?.code == .changedAfterwards)
    #expect(answer.findings.first?.fix == nil)
    // Without a rule, it is unknown which of the two is intended.
    #expect(RuleAnswer(facts, node: Self.node(0o600)).findings.first?.fix == nil)
  }

  @Test func `is read again where the group may be newer than udevd's reading`() throws {
    let facts = RuleSample.facts([
      RuleSample.file("70-a.rules", #"KERNEL=="video0", GROUP="video""#)
    ])
    let answer = RuleAnswer(facts, node: Self.node(0o660, gid: 0), rule: Self.mine)
    let finding = try #require(answer.findings.first)
    #expect(finding.code == .changedAfterwards)
    #expect(finding.summary.contains("before group video existed"))
    #expect(
      finding.fix?.commands.first == "touch /etc/udev/rules.d/70-a.rules /etc/udev/rules.d")
    // A package creates its groups, and a mode contains no names.
    let others = RuleAnswer(RuleSample.facts([]), node: Self.node(0o660, gid: 0))
    #expect(others.findings.first?.fix?.commands.first == "udevadm control --reload")
  }

  @Test func `loses the bits of its group to the mask of the user of the seat`() throws {
    let tagging = RuleSample.file("70-uaccess.rules", #"SUBSYSTEM=="video4linux", TAG+="uaccess""#)
    var facts = RuleSample.facts([
      RuleSample.file("90-a.rules", #"KERNEL=="video0", MODE="0600""#), tagging,
    ])
    let rule = RuleReference(file: "90-a.rules", line: 1)
    var node = Self.node(0o660)
    node.acl = [
      ACLEntry(.user, nil, [.read, .write]), ACLEntry(.user, 1000, [.read, .write]),
      ACLEntry(.group, nil, []), ACLEntry(.mask, nil, [.read, .write]), ACLEntry(.other, nil, []),
    ]
    let finding = try #require(RuleAnswer(facts, node: node, rule: rule).findings.first)
    #expect(finding.code == .changedAfterwards)
    #expect(finding.place?.path == "/usr/lib/udev/rules.d/73-seat-late.rules")
    // A new worker process of this version may see the tag although a rule removed it.
    #expect(finding.fix == nil)
    facts.environment.version = 258
    let later = try #require(RuleAnswer(facts, node: node, rule: rule).findings.first)
    let commands = try #require(later.fix).commands
    #expect(
      commands.prefix(2) == [
        #"printf '%s\n' 'SUBSYSTEM=="video4linux", KERNEL=="video0", TAG-="uaccess"' > "#
          + "/etc/udev/rules.d/72-video0-no-seat.rules",
        "setfacl --remove-all /dev/video0",
      ])
    // The mask grants no more than the rule, or the question is about no particular rule.
    node.mode = 0o600
    #expect(RuleAnswer(facts, node: node, rule: rule).findings.isEmpty)
    node.mode = 0o660
    #expect(RuleAnswer(facts, node: node).findings.isEmpty)
  }
}
