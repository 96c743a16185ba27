import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct RecordedReportTests {
  @Test(arguments: RecordedReport.decidable)
  func `the cause that ended the report comes first`(_ report: RecordedReport) throws {
    let explanation = try #require(report.snapshot).explain()
    #expect(explanation.firstCause?.code.rawValue == report.firstCause, explanation.inShort)
  }

  @Test
  func `few causes stand for the thread's, and each names the other one next where it can`() throws
  {
    #expect(RecordedReport.otherwise.count == 7)
    let withoutNext = try RecordedReport.decidable.filter { report in
      let explanation = try #require(report.snapshot).explain()
      let codes = ([explanation.cause].compactMap(\.self) + explanation.furtherCauses).map(\.code)
      return !codes.contains { $0.rawValue == report.expectedCause }
    }
    // For these, the cause from the thread contradicts the facts, or has another name here.
    #expect(Set(withoutNext.map(\.report)) == ["R064", "R065", "S076"])
  }

  @Test(arguments: RecordedReport.decidable)
  func `something to do is named`(_ report: RecordedReport) throws {
    let explanation = try #require(report.snapshot).explain()
    #expect(!explanation.remedies.isEmpty, explanation.inShort)
  }

  @Test(arguments: RecordedReport.beyond)
  func `a report beyond the facts gets no cause that contradicts it`(
    _ report: RecordedReport
  ) throws {
    let explanation = try #require(report.snapshot).explain()
    let first = explanation.firstCause?.code.rawValue ?? "none"
    #expect(report.acceptedCauses.contains(first), explanation.inShort)
  }

  @Test
  func `every line is read`() {
    #expect(RecordedReport.first.count == 60)
    #expect(RecordedReport.second.count == 37)
    #expect(Set(RecordedReport.all.map(\.report)).count == RecordedReport.all.count)
    for report in RecordedReport.all {
      #expect(report.isDecidable ? report.snapshot != nil : report.whyNot != nil)
    }
    let names = Set(RecordedReport.all.map(\.report))
    #expect(names.isSuperset(of: RecordedReport.otherwise.keys))
  }

  @Test(arguments: RecordedReport.all.filter { $0.snapshot != nil })
  func `a recorded snapshot stays the same when it is written and read`(
    _ report: RecordedReport
  ) throws {
    let facts = try #require(report.snapshot)
    let written = try JSONEncoder().encode(facts)
    #expect(try JSONDecoder().decode(AccessFacts.self, from: written) == facts)
  }
}

extension Explanation {
  /// The first cause; for a grant, the first doubt about it.
  fileprivate var firstCause: Cause? { cause ?? furtherCauses.first }

  fileprivate var inShort: Comment {
    let causes = ([cause].compactMap(\.self) + furtherCauses).map(\.summary)
    return Comment(rawValue: "\(causes) \(remedies.map(\.title))")
  }
}
