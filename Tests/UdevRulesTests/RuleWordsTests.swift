import AccessModel
import Testing
import UdevRules

@Suite struct `A match that does not hold` {
  @Test(arguments: [
    (
      #"SUBSYSTEM=="video4linux", ATTR{name}=="0xCam", MODE="0666""#,
      #"ATTR{name}=="0xCam" does not match: the device has "A Camera "."#
    ),
    (
      #"ATTR{missing}=="1", MODE="0666""#,
      #"ATTR{missing}=="1" does not match: the device has no missing attribute."#
    ),
    (
      #"ATTRS{idVendor}=="0x046d", MODE="0666""#,
      #"ATTRS{idVendor}=="0x046d" does not match: its parent 1-2 has "046d"."#
    ),
  ])
  func `names the value that was found`(line: String, sentence: String) throws {
    var facts = RuleSample.facts([RuleSample.file("99-a.rules", line)])
    facts.device?.attributes["name"] = .present("A Camera ")
    let answer = RuleAnswer(facts, node: nil, rule: RuleReference(file: "99-a.rules"))
    #expect(try #require(answer.verdicts.first?.finding).summary == sentence)
  }
}
