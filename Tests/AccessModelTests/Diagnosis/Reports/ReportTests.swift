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
    case .auxNode:
      // A webcam also works with programs that do not use libcamera; a pipeline does not.
      let hasCamera = report.facts.devices.contains { $0.role == .capture }
      #expect(answer == (hasCamera ? .allowed : .absent))
    case .busy:
      #expect(answer == .allowed)
      #expect(report.facts.explain().availability == .busy)
    default: #expect(answer == .refused || answer == .absent)
    }
  }

  /// Of 69 reports, 60 can be decided.
  ///
  /// For 56, the first cause is the one that people found. The other 4 list it after a more direct
  /// one.
  @Test
  func `the figures are those of the documentation`() {
    let decided = Report.all.filter { $0.facts.explain().firstCode == $0.found }
    #expect(Report.all.count == 60)
    #expect(decided.count == 56)
    #expect(Double(decided.count) >= 0.9 * Double(Report.all.count))
    // A cause that is reported first does not exclude the one that people found.
    for report in Report.all where report.facts.explain().firstCode != report.found {
      #expect(report.facts.explain().furtherCauses.contains { $0.code == report.found })
    }
  }

  @Test
  func `every report is either explained or said to be beyond the facts`() {
    #expect(Report.all.count + Report.undecidable.count == 69)
    #expect(Set(Report.all.map(\.source)).count == Report.all.count)
    #expect(Report.all.allSatisfy { Report.undecidable[$0.source] == nil })
  }
}

extension Explanation {
  /// The first cause; for a grant, the first doubt about it.
  fileprivate var firstCode: CauseCode? { cause?.code ?? furtherCauses.first?.code }
}
