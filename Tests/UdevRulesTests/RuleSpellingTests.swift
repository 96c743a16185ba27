import AccessModel
import Testing
import UdevRules

@Suite struct `A rule that udevd cannot read` {
  private static let good = #"KERNEL=="video0", MODE="0666""#

  private static func answer(_ text: String) -> RuleAnswer {
    RuleSample.answer(RuleReference(file: "99-a.rules"), RuleSample.file("99-a.rules", text))
  }

  @Test(arguments: [
    (#"KERNEL=="video0", MODE=0666"#, "in double quotes"),
    (#"KERNEL==video0, MODE=0666 # mine"#, "in double quotes"),
    (#"KERNEL=="video0", MODE="0666" # say "x"#, "in double quotes"),
    (#"KERNEL=="video0", MODE="0666", # my camera's"#, "in double quotes"),
    ("\u{FEFF}" + good, "byte order mark"),
  ])
  func `is written so that it can be read`(text: String, why: String) throws {
    let finding = try #require(Self.answer(text).verdicts.first?.finding)
    #expect(finding.code == .invalid)
    #expect(finding.summary.contains(why))
    #expect(finding.fix?.line == Self.good)
  }

  @Test(arguments: [
    #"KERNEL=="video0", RUN+=/bin/true now"#, #"KERNEL=="video0", MODE=$(mode)"#,
  ])
  func `is left alone where it is not known what was meant`(text: String) throws {
    #expect(try #require(Self.answer(text).verdicts.first?.finding).fix == nil)
  }

  @Test func `ends at a blank behind a backslash, which is taken away`() throws {
    let answer = Self.answer("KERNEL==\"video0\", \\ \n  MODE=\"0666\"")
    let finding = try #require(answer.verdicts.first?.finding)
    #expect(finding.summary.contains("the next line is a separate rule"))
    #expect(
      finding.fix?.commands.first
        == #"sed -i '1s/\\[[:blank:]]*$/\\/' /etc/udev/rules.d/99-a.rules"#)
  }

  @Test(arguments: [("my_end", "myend"), ("End", "end"), ("ned", "end")])
  func `has a GOTO whose label is nearly one of the file`(wanted: String, label: String) {
    let answer = Self.answer(
      [#"SUBSYSTEM!="usb", GOTO="\#(wanted)""#, Self.good, #"LABEL="\#(label)""#]
        .joined(separator: "\n"))
    let finding = answer.findings.first { $0.place?.line == 1 }
    #expect(finding?.code == .invalid)
    #expect(finding?.summary.contains("no later line has the label \(wanted)") == true)
    #expect(finding?.summary.hasSuffix("one has \(label).") == true)
  }
}

@Suite struct `A rule after a fixed mode` {
  @Test(arguments: [("00-b.rules", "00-a.rules"), ("10-b.rules", "05-a.rules")])
  func `comes before it, and fixes all that it sets`(other: String, name: String) throws {
    let answer = RuleSample.answer(
      RuleReference(file: "99-a.rules"),
      RuleSample.file("99-a.rules", #"KERNEL=="video0", MODE="0666", GROUP="0""#),
      RuleSample.file(other, #"KERNEL=="video0", MODE:="0600""#))
    let fix = try #require(answer.verdicts.first?.finding?.fix)
    #expect(fix.line == #"KERNEL=="video0", MODE:="0666", GROUP:="0""#)
    #expect(fix.commands.first == "mv /etc/udev/rules.d/99-a.rules /etc/udev/rules.d/\(name)")
  }
}

@Suite struct `A rule that udevd does not read` {
  @Test(arguments: [
    ("70-a.rules", "/usr/lib/udev/rules.d"), ("99-z.rule", RuleSample.folder),
    ("99-z.rules", "/home/alice"),
  ])
  func `has its groups and attributes looked up`(name: String, folder: String) {
    let facts = RuleSample.facts([
      RuleSample.file("70-a.rules", #"KERNEL=="video0", GROUP="first""#),
      RuleSample.file(name, #"ATTR{mine}=="1", GROUP="second""#, in: folder),
    ])
    #expect(facts.ownNames.isSuperset(of: [.group("first"), .group("second")]))
    #expect(facts.ownAttributes.contains("mine"))
  }
}
