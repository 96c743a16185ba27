import AccessModel
import Testing

@Suite struct `A rule of which a part has no effect` {
  @Test(arguments: [
    (
      #"KERNEL=="video0", GROUP="nobody-has-it", MODE="0666", TAG+="x""#,
      RuleFinding.Code.noSuchName,
      #"Only MODE="0666", TAG+="x" take effect."#
    ),
    (
      #"KERNEL=="video0", GROUP="0", MODE="0666""#, .overwritten,
      #"Only GROUP="0" takes effect."#
    ),
    (
      #"KERNEL=="video0", MODE="0666", TAG+="uaccess", TAG+="x""#, .overwritten,
      #"Only TAG+="x" takes effect."#
    ),
  ])
  func `names what takes effect`(line: String, code: RuleFinding.Code, rest: String) throws {
    var files = [RuleSample.file("90-a.rules", line)]
    if code == .overwritten {
      files.append(RuleSample.file("95-b.rules", #"KERNEL=="video0", MODE="0600""#))
    }
    let answer = RuleAnswer(
      RuleSample.facts(files), node: nil, rule: RuleReference(file: "90-a.rules"))
    let verdict = try #require(answer.verdicts.first)
    #expect(verdict.isPartial)
    #expect(verdict.effect == .ineffective)
    #expect(verdict.finding?.code == code)
    #expect(verdict.finding?.summary.hasSuffix(rest) == true)
  }

  @Test func `is not one that sets nothing else`() throws {
    let answer = RuleSample.answer(
      RuleReference(file: "40-a.rules"),
      RuleSample.file("40-a.rules", #"SUBSYSTEM=="video4linux", GROUP="0""#))
    #expect(answer.verdicts.first?.isPartial == false)
  }
}
