import AccessModel
import Testing
import UdevRules

/// Rules that a user wrote for the camera of ``Sample``.
@Suite struct `Rules that were written for a device` {
  private static func node(_ mode: UInt16 = 0o660, gid: UInt32 = 44) -> Node {
    Node(path: "/dev/video0", type: .characterDevice, mode: mode, uid: 0, gid: gid)
  }

  private static func answer(
    _ name: String, _ text: String, folder: String = RuleSample.folder, node: Node = node(),
    _ change: (inout RuleFacts) -> Void = { _ in }
  ) -> RuleAnswer {
    var facts = RuleSample.facts([RuleSample.file(name, text, in: folder)])
    change(&facts)
    return RuleAnswer(facts, node: node)
  }

  @Test(arguments: [
    ("99-a", #"KERNEL=="video0", MODE="0666""#, RuleFinding.Code.wrongName),
    ("99-a.rules.txt", #"ATTRS{idVendor}=="046d", MODE="0666""#, .wrongName),
    ("60-a.rules", #"KERNEL=="video0", MODE="0666""#, .noEventSince),
    ("60-a.rules", #"SUBSYSTEM=="usb", ATTRS{idVendor}=="046d", MODE="0666""#, .mismatch),
    ("60-a.rules", #"ATTRS{idVendor}=="046D", MODE="0666""#, .mismatch),
    ("60-a.rules", #"SUBSYSTEM=="video0", MODE="0666""#, .mismatch),
    ("99-a.rules", #"KERNEL=="video0", TAG+="uaccess""#, .tooLate),
    ("60-a.rules", #"KERNEL=="video0", GROUP="nobody-has-it""#, .noSuchName),
    ("60-a.rules", #"KERNEL="video0", MODE="0666""#, .invalid),
    ("60-a.rules", #"KERNEL=="video0", RUN+="chmod 666 $devnode""#, .missingProgram),
  ])
  func `are found without being asked about`(
    name: String, text: String, code: RuleFinding.Code
  ) throws {
    let answer = Self.answer(name, text) { $0.handled = code == .noEventSince ? 20 : 100 }
    let verdict = try #require(answer.ineffective.first)
    #expect(answer.ineffective.count == 1)
    #expect(verdict.finding?.code == code, "\(verdict)")
    #expect(verdict.place == UdevRulePlace(path: "\(RuleSample.folder)/\(name)", line: 1))
    #expect(verdict.finding?.fix != nil, "\(verdict)")
  }

  @Test(arguments: [
    // The rules apply to other devices.
    ("60-a.rules", #"ATTRS{idVendor}=="1234", MODE="0666""#),
    ("60-a.rules", #"ATTRS{idVendor}=="046d", ATTRS{idProduct}=="9999", MODE="0666""#),
    ("60-a.rules", #"SUBSYSTEM=="video4linux", ATTR{name}=="Other", MODE="0666""#),
    ("60-a.rules", #"SUBSYSTEM=="tty", MODE="0666""#),
    ("60-a.rules", #"SUBSYSTEM=="video4linux", KERNEL=="radio*", MODE="0666""#),
    // The rules are already in effect, or grant no access.
    ("60-a.rules", #"KERNEL=="video0", GROUP="video", MODE="0660""#),
    ("60-a.rules", #"ATTRS{idVendor}=="046D", MODE="0660""#),
    ("60-a.rules", #"ATTRS{idVendor}=="046D", ENV{X}="1""#),
    ("60-a.rules", #"ATTRS{idVendor}=="046D", MODE="0600""#),
  ])
  func `are not those for others, or those that did their work`(name: String, text: String) {
    let answer = Self.answer(name, text)
    #expect(answer.ineffective.isEmpty, "\(answer.ineffective)")
  }

  @Test func `are not copies of files that are read`() {
    let text = #"KERNEL=="video0", GROUP="video", MODE="0660""#
    let copy = RuleSample.file("60-a.rules.bak", #"KERNEL=="video0", MODE="0666""#)
    let facts = RuleSample.facts([RuleSample.file("60-a.rules", text), copy])
    #expect(RuleAnswer(facts, node: Self.node()).ineffective.isEmpty)
  }

  @Test func `are found in the folder above the right one`() throws {
    let answer = Self.answer(
      "60-a.rules", #"KERNEL=="video0", MODE="0666""#, folder: "/etc/udev")
    let finding = try #require(answer.ineffective.first?.finding)
    #expect(finding.code == .wrongFolder)
    #expect(finding.fix?.commands.first == "cp /etc/udev/60-a.rules /etc/udev/rules.d/60-a.rules")
  }

  @Test(arguments: [(241, true), (247, false)])
  func `are found below usr-local, if that release does not read them there`(
    version: Int, isIneffective: Bool
  ) {
    let file = RuleSample.file(
      "60-a.rules", #"KERNEL=="video0", MODE="0666""#, in: "/usr/local/lib/udev/rules.d")
    var facts = RuleFacts(
      node: "/dev/video0", files: [file], version: UdevRuleVersion(version))
    facts.device = Sample.camera
    let finding = RuleAnswer(facts, node: Self.node()).ineffective.first?.finding
    #expect((finding?.code == .wrongFolder) == isIneffective)
    if isIneffective {
      #expect(
        finding?.fix?.commands.first
          == "mv /usr/local/lib/udev/rules.d/60-a.rules /etc/udev/rules.d/60-a.rules")
    }
  }

  @Test func `are not applied where no daemon runs`() {
    let answer = Self.answer("99-a", #"KERNEL=="video0", MODE="0666""#) {
      $0.daemon.isReachable = false
    }
    #expect(answer.ineffective.isEmpty)
    #expect(answer.findings.map(\.code).contains(.noDaemon))
  }

  @Test(arguments: [(257, true), (258, false), (259, false), (260, true)])
  func `have no effect with an ordinary group where systemd ignores those`(
    version: Int, isEffective: Bool
  ) throws {
    let file = RuleSample.file("60-a.rules", #"KERNEL=="video0", GROUP="makers", MODE="0660""#)
    var facts = RuleFacts(
      node: "/dev/video0", files: [file] + RuleSample.distribution,
      version: UdevRuleVersion(version))
    facts.device = Sample.camera
    facts.parents = [Sample.interface, Sample.product]
    facts.record = UdevRuleEvent.Record()
    facts.handled = 100
    facts.environment.groups = ["makers": .present(1001), "video": .present(44)]
    let rule = RuleReference(file: "60-a.rules")
    let answer = RuleAnswer(facts, node: Self.node(gid: isEffective ? 1001 : 44), rule: rule)
    #expect(answer.effect == (isEffective ? .effective : .ineffective))
    guard !isEffective else { return }
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.code == .ordinaryAccount)
    #expect(finding.fix?.commands.first == "groupmod --gid 500 makers")
    #expect(answer.report?.node.group.known == .some(nil))
  }

  @Test func `keep the number of a user's own group`() throws {
    let file = RuleSample.file("60-a.rules", #"KERNEL=="video0", GROUP="alice", MODE="0660""#)
    var facts = RuleFacts(
      node: "/dev/video0", files: [file] + RuleSample.distribution, version: 258)
    facts.device = Sample.camera
    facts.parents = [Sample.interface, Sample.product]
    facts.record = UdevRuleEvent.Record()
    facts.handled = 100
    facts.environment.groups = ["alice": .present(1000), "video": .present(44)]
    facts.environment.users = ["alice": .present(1000)]
    let rule = RuleReference(file: "60-a.rules")
    let answer = RuleAnswer(facts, node: Self.node(gid: 44), rule: rule)
    let commands = try #require(answer.verdicts.first?.finding?.fix?.commands)
    #expect(!commands.contains { $0.contains("groupmod") })
    #expect(commands.contains { $0.contains(#"TAG+="uaccess""#) })
  }

  @Test func `that ask two parents are mended with a property of one of them`() throws {
    let text = """
      ATTRS{idVendor}=="046d", ATTRS{bInterfaceClass}=="0e", MODE="0666"
      """
    var facts = RuleSample.facts([RuleSample.file("99-a.rules", text)])
    facts.record = UdevRuleEvent.Record(properties: ["ID_VENDOR_ID": "046d"])
    facts.device?.properties["ID_VENDOR_ID"] = "046d"
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: "99-a.rules"))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.summary.contains("one parent must satisfy all of them"))
    #expect(
      finding.fix?.line
        == #"SUBSYSTEM=="video4linux", ENV{ID_VENDOR_ID}=="046d", ATTRS{bInterfaceClass}=="0e", "#
        + #"MODE="0666""#)
  }

  @Test func `wait for their event, and are not effective before`() {
    var facts = RuleSample.facts([RuleSample.file("60-a.rules", #"KERNEL=="video0", MODE="0666""#)])
    facts.handled = 20
    let answer = RuleAnswer(facts, node: Self.node(), rule: RuleReference(file: "60-a.rules"))
    #expect(answer.effect == .effective)
    #expect(answer.isPending == true)
  }
}
