import AccessModel
import Testing

struct ReportTests {
  @Test(arguments: Report.all)
  func `the cause that people found is named`(_ report: Report) {
    let explanation = report.facts.explain()
    let causes = [explanation.cause].compactMap(\.self) + explanation.furtherCauses
    let said = Comment(rawValue: "\(causes.map(\.summary)) \(explanation.evidence)")
    #expect(causes.first?.code == report.first, said)
    #expect(causes.contains { $0.code == report.found }, said)
  }

  @Test(arguments: Report.all)
  func `a failure is called one, unless only the node is the wrong one`(_ report: Report) {
    let answer = report.facts.explain().answer
    switch report.found {
    case .wrongNodeMetadata: #expect(answer == .allowed)
    default: #expect(answer == .refused || answer == .absent)
    }
  }

  @Test
  func `every report is either explained or said to be beyond the facts`() {
    #expect(Report.all.count + Report.undecidable.count == 69)
    #expect(Set(Report.all.map(\.source)).count == Report.all.count)
    #expect(Report.all.allSatisfy { Report.undecidable[$0.source] == nil })
  }
}
