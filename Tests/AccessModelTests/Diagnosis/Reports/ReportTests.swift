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
      // A webcam works for programs that do not use libcamera; a pipeline has no camera then.
      let hasCamera = report.facts.devices.contains { $0.role == .capture }
      #expect(answer == (hasCamera ? .allowed : .absent))
    case .busy:
      #expect(answer == .allowed)
      #expect(report.facts.explain().availability == .busy)
    default: #expect(answer == .refused || answer == .absent)
    }
  }

  /// 69 reports: 60 can be decided, of 56 the first cause is the one that people found, and the
  /// other 4 name it behind a nearer one.
  @Test
  func `the figures are those of the documentation`() {
    let decided = Report.all.filter { $0.facts.explain().firstCode == $0.found }
    #expect(Report.all.count == 60)
    #expect(decided.count == 56)
    #expect(Double(decided.count) >= 0.9 * Double(Report.all.count))
    // What people did not find first is never a cause that excludes theirs.
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
  /// The cause that is named first, also of a grant that something speaks against.
  fileprivate var firstCode: CauseCode? { cause?.code ?? furtherCauses.first?.code }
}
