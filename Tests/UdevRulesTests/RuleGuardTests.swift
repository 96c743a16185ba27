import AccessModel
import Testing
import UdevRules

@Suite struct `A rule that is put into a file of its own` {
  private static func answer(
    _ text: String, _ others: RuleFile..., line: Int? = nil
  ) -> RuleAnswer {
    var facts = RuleSample.facts([RuleSample.file("60-a.rules", text)] + others)
    facts.parents[1].attributes["idVendor"] = .present("2341")
    return RuleAnswer(facts, node: nil, rule: RuleReference(file: "60-a.rules", line: line))
  }

  @Test(arguments: [
    (
      #"SUBSYSTEM!="usb", GOTO="end""#, #"ATTR{idVendor}=="2341", MODE="0664""#,
      #"SUBSYSTEM=="video4linux", ATTRS{idVendor}=="2341", MODE="0664""#
    ),
    (
      #"SUBSYSTEM=="video4linux", GOTO="end""#, #"ATTRS{idVendor}=="2341", MODE="0664""#,
      #"SUBSYSTEM=="video4linux", KERNEL=="video0", ATTRS{idVendor}=="2341", MODE="0664""#
    ),
    (
      #"ENV{ID_BUS}!="usb", GOTO="end""#, #"SUBSYSTEM=="video4linux", MODE="0664""#,
      #"KERNEL=="video0", SUBSYSTEM=="video4linux", MODE="0664""#
    ),
  ])
  func `keeps the condition of the GOTO`(guarding: String, line: String, fixed: String) throws {
    let answer = Self.answer([guarding, line, #"LABEL="end""#].joined(separator: "\n"))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.code == .skipped)
    let fix = try #require(finding.fix)
    #expect(Set(fix.line?.split(separator: ", ") ?? []) == Set(fixed.split(separator: ", ")))
    #expect(fix.isProven)
  }

  @Test func `is not written where the GOTO keeps it for other devices`() throws {
    let answer = Self.answer(
      [#"SUBSYSTEM!="usb", GOTO="end""#, #"MODE="0666""#, #"LABEL="end""#]
        .joined(separator: "\n"))
    #expect(answer.verdicts.first?.finding?.code == .skipped)
    #expect(answer.verdicts.first?.finding?.fix == nil)
  }

  @Test(arguments: [
    (#"ACTION=="remove", GOTO="end""#, false),
    (#"KERNEL=="video0", ACTION=="remove", GOTO="end""#, false),
    (#"KERNEL=="video0", ACTION=="remove", MODE="0664""#, true),
    (#"KERNEL=="video0", ACTION=="remove", MODE="0664", GOTO="end""#, true),
  ])
  func `is not mended where it only leads past others`(line: String, isMended: Bool) throws {
    let answer = Self.answer(
      [line, #"SUBSYSTEM=="video4linux", TAG+="uaccess""#, #"LABEL="end""#]
        .joined(separator: "\n"), line: 1)
    let finding = try #require(answer.verdicts.first?.finding)
    #expect((finding.fix != nil) == isMended, "\(finding)")
  }

  @Test func `keeps the condition of a GOTO also where a later rule overwrites it`() throws {
    let answer = Self.answer(
      [
        #"SUBSYSTEM!="video4linux", GOTO="end""#, #"ACTION=="remove", GOTO="end""#,
        #"ATTRS{idVendor}=="2341", MODE="0664""#, #"LABEL="end""#,
      ].joined(separator: "\n"),
      RuleSample.file("70-b.rules", #"SUBSYSTEM=="video4linux", MODE="0600""#))
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.code == .overwritten)
    #expect(
      finding.fix?.line == #"""
        SUBSYSTEM=="video4linux", ACTION!="remove", ATTRS{idVendor}=="2341", MODE="0664"
        """#)
  }

  @Test func `has a name that no other has, and so has a second one`() throws {
    let answer = Self.answer(
      [
        #"SUBSYSTEM=="video4linux", GOTO="end""#, #"KERNEL=="video0", MODE="0664""#,
        #"KERNEL=="video0", GROUP="0""#, #"LABEL="end""#,
      ].joined(separator: "\n"),
      RuleSample.file("60-a-own.rules", #"KERNEL=="none", MODE="0600""#))
    let files = answer.verdicts.compactMap { verdict in
      verdict.finding?.fix?.commands.first?.split(separator: " ").last.map(String.init)
    }
    #expect(files.first == "/etc/udev/rules.d/60-a-own-2.rules")
    #expect(files.count == 2)
    #expect(Set(files).count == files.count)
  }
}

@Suite struct `The new name of a file` {
  private static let line = #"KERNEL=="video0", MODE="0664""#

  @Test(arguments: [
    (
      RuleSample.file("99-z.rule", line), "99-z.rules",
      "mv /etc/udev/rules.d/99-z.rule /etc/udev/rules.d/99-z-2.rules"
    ),
    (
      RuleSample.file("99-z.rules", line, in: "/home/alice"), "99-z.rules",
      "cp /home/alice/99-z.rules /etc/udev/rules.d/99-z-2.rules"
    ),
    (
      RuleSample.file("99-z.rules", line, in: "/usr/lib/udev/rules.d"), "99-z.rules",
      "cp /usr/lib/udev/rules.d/99-z.rules /etc/udev/rules.d/99-z-local.rules"
    ),
  ])
  func `is one that no file has`(file: RuleFile, other: String, command: String) throws {
    let facts = RuleSample.facts([
      RuleSample.file(other, #"KERNEL=="none", MODE="0600""#), file,
    ])
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: file.path))
    let fix = try #require(answer.findings.lazy.compactMap(\.fix).first)
    #expect(fix.commands.first == command)
  }

  @Test func `is given once where two of its lines are mended`() throws {
    let facts = RuleSample.facts([
      RuleSample.file(
        "99-z.rule",
        #"KERNEL=="video", \"# + "\n" + #"  MODE="0664""# + "\n" + #"KERNEL=="video", TAG+="a""#)
    ])
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: "99-z.rule"))
    let commands = answer.verdicts.map { $0.finding?.fix?.commands.dropLast(2) ?? [] }
    #expect(
      commands == [
        [
          "mv /etc/udev/rules.d/99-z.rule /etc/udev/rules.d/99-z.rules",
          #"sed -i -e '1c\KERNEL=="video0", MODE="0664"' -e '2,2s/.*//' "#
            + "/etc/udev/rules.d/99-z.rules",
        ],
        [#"sed -i '3c\KERNEL=="video0", TAG+="a"' /etc/udev/rules.d/99-z.rules"#],
      ])
  }
}
