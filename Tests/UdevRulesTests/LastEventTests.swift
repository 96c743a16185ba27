import AccessModel
import Testing

@Suite struct `A rule for devices that are added` {
  private static func node(_ mode: UInt16) -> Node {
    var node = Node(path: "/dev/ttyACM0", type: .characterDevice, mode: mode, uid: 0, gid: 44)
    node.rdev = DeviceNumber(major: 166, minor: 0)
    return node
  }

  private static func answer(_ text: String, _ mode: UInt16) -> RuleAnswer {
    let facts = ReachSample.facts(
      ReachSample.serial,
      RuleSample.file(
        "50-a.rules", #"SUBSYSTEM=="tty", GROUP="video", MODE="0660""#, in: "/usr/lib/udev/rules.d"),
      RuleSample.file("99-z.rules", text))
    return RuleAnswer(facts, node: node(mode), rule: RuleReference(file: "99-z.rules"))
  }

  @Test(arguments: [
    #"ACTION=="add", SUBSYSTEM=="tty", ATTRS{idVendor}=="2341", MODE="0666""#,
    #"ACTION!="add", GOTO="end""# + "\n" + #"SUBSYSTEM=="tty", MODE="0666""# + "\n"
      + #"LABEL="end""#,
  ])
  func `waits where the node shows that the last event was another one`(text: String) throws {
    let answer = Self.answer(text, 0o660)
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(answer.effect == .ineffective)
    #expect(finding.code == .mismatch)
    #expect(finding.summary.contains(#"="add" does not match: the last event"#))
    #expect(finding.summary.contains(#""change""#))
    #expect(
      finding.fix?.commands == [
        "udevadm control --reload",
        "udevadm trigger --settle --action=add --name-match=/dev/ttyACM0",
      ])
    #expect(answer.findings.isEmpty)
  }

  @Test func `takes effect where the node is as it says, or as no event leaves it`() {
    let line = #"ACTION=="add", SUBSYSTEM=="tty", MODE="0666""#
    #expect(Self.answer(line, 0o666).effect == .effective)
    #expect(Self.answer(line, 0o666).findings.isEmpty)
    #expect(Self.answer(line, 0o600).effect == .effective)
    #expect(Self.answer(line, 0o600).findings.map(\.code) == [.changedAfterwards])
  }
}
