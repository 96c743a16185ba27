import AccessModel
import AnswerAgreement
import Testing

/// Checks that every interface gives the same answer to a question.
@Suite struct `Library, store, command, JSON and exit status` {
  @Test func `agree on every fixture`() async throws {
    try await Self.check(RemedyTests.everything)
  }

  @Test func `agree on every recorded report`() async throws {
    let reports = RecordedReport.all.compactMap(\.snapshot)
    #expect(reports.count > 60)
    try await Self.check(reports)
  }

  @Test func `agree whatever the kernel answers`() async throws {
    // Each fixture has seven possible kernel answers. Every eighth pair covers all fixtures and all
    // answers.
    let pairs = ExplanationTests.all.enumerated().filter { $0.offset % 8 == 0 }.map(\.element)
    try await Self.check(pairs)
  }

  private static func check(_ all: [AccessFacts]) async throws {
    #expect(!all.isEmpty)
    for facts in all {
      let problems = try await AnswerAgreement(facts).problems()
      let about = "\(facts.kind ?? "path") \(facts.access.request): \(facts.explain().cause as Any)"
      #expect(problems == [], Comment(rawValue: about))
    }
  }
}
