import AccessModel
import Testing
import UdevRules

/// Tests every file in `Tests/Fixtures/BrokenRules`.
@Suite struct `A broken rule` {
  @Test(arguments: try BrokenRule.all)
  func `is explained, and the printed fix mends it`(sample: BrokenRule) throws {
    let answer = RuleAnswer(
      sample.facts(sample.ruleFiles), node: sample.node, action: sample.action, rule: sample.rule)
    let findings = answer.verdicts.compactMap(\.finding) + answer.findings
    #expect(findings.map(\.code.rawValue).contains(sample.code))
    let mismatch = answer.verdicts.lazy.compactMap(\.mismatch).first
    #expect(mismatch?.match == sample.match)
    if sample.found != nil { #expect(mismatch?.found == sample.found) }

    let fix = findings.lazy.compactMap(\.fix).first
    guard !sample.after.isEmpty else {
      #expect(fix == nil)
      return
    }
    let machine = try FixedMachine(sample.ruleFiles)
    let commands = try #require(fix).commands
    let action = try machine.run(commands)
    let files = try machine.files
    let event = try #require(action)
    let report = try #require(sample.facts(files).report(event))
    for (what, value) in sample.after {
      switch what {
      case "mode": #expect(report.node.mode.known == UInt32(value, radix: 8))
      case "group": #expect(report.node.group.known == UInt32(value))
      case "owner": #expect(report.node.owner.known == UInt32(value))
      case "tag": #expect(report.currentTags.contains(UdevRuleText(value)))
      default: Issue.record("the fixture expects \(what)")
      }
    }
  }
}
