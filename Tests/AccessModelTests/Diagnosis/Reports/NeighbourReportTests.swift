import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A situation in which the answer depends on something next to the object, written by somebody who
/// had not seen the model.
///
/// Each line of `Tests/Fixtures/Reports/neighbours.jsonl` is one.
struct NeighbourReport: Decodable, CustomTestStringConvertible, Sendable {
  /// Its name, of which the part before the hyphen is the class.
  var report: String
  /// What happened, in one sentence.
  var situation: String
  /// The codes of which one has to come first; `nil` for a grant that nothing speaks against.
  var causes: [String?]
  /// Patterns that the answer has to contain.
  var words: [String]
  /// The pattern that the first fix has to contain.
  var firstFix: String?
  /// Whether an answer without a fix is as good.
  var mayLackFix: Bool?
  /// Whether no fix may be printed.
  var hasNoFix: Bool?
  /// Patterns that would be wrong.
  var forbidden: [String]
  var snapshot: AccessFacts

  private enum CodingKeys: String, CodingKey {
    case report, situation, causes, words, forbidden, snapshot
    case firstFix = "first_fix"
    case mayLackFix = "may_lack_fix"
    case hasNoFix = "has_no_fix"
  }

  var testDescription: String { report }

  static let all: [NeighbourReport] = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let file = folder.appending(path: "Fixtures/Reports/neighbours.jsonl")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONDecoder().decode(NeighbourReport.self, from: Data(line))
    }
  }()
}

struct NeighbourReportTests {
  @Test
  func `every line is read`() {
    #expect(NeighbourReport.all.count == 145)
    let classes = Dictionary(grouping: NeighbourReport.all) { $0.report.prefix { $0 != "-" } }
    #expect(classes.count == 18)
  }

  @Test(arguments: NeighbourReport.all)
  func `the true cause comes first`(_ report: NeighbourReport) {
    let explanation = report.snapshot.explain()
    let first = explanation.cause ?? explanation.furtherCauses.first
    #expect(report.causes.contains(first?.code.rawValue), explanation.inShort(report))
    if report.causes.contains(nil) {
      #expect(explanation.answer == .allowed, explanation.inShort(report))
    }
  }

  @Test(arguments: NeighbourReport.all)
  func `the first fix is one that mends it`(_ report: NeighbourReport) throws {
    let explanation = report.snapshot.explain()
    if report.hasNoFix == true {
      #expect(explanation.remedies.isEmpty, explanation.inShort(report))
    }
    guard let pattern = report.firstFix else { return }
    guard let fix = explanation.firstFix else {
      #expect(report.mayLackFix == true, explanation.inShort(report))
      return
    }
    #expect(try fix.matches(pattern), explanation.inShort(report))
  }

  @Test(arguments: NeighbourReport.all)
  func `what matters is said, and nothing false`(_ report: NeighbourReport) throws {
    let explanation = report.snapshot.explain()
    for word in report.words {
      #expect(try explanation.text.matches(word), explanation.inShort(report))
    }
    for word in report.forbidden {
      #expect(try !explanation.text.matches(word), explanation.inShort(report))
    }
  }
}

extension String {
  fileprivate func matches(_ pattern: String) throws -> Bool {
    try contains(Regex(pattern).ignoresCase().dotMatchesNewlines())
  }
}

extension Explanation {
  /// What a reader sees first: the answer, the first cause and the first fix.
  fileprivate var text: String {
    let first = cause ?? furtherCauses.first
    let object = kind.map { "\($0): " } ?? ""
    var lines = ["\(object)\(answer.rawValue) — \(path)"]
    lines += first.map { ["\($0.summary) (\($0.code.rawValue))"] } ?? []
    lines += [note, firstFix].compactMap(\.self)
    if remedies.isEmpty { lines += lookups.flatMap { [$0.title] + $0.commands } }
    return lines.joined(separator: "\n")
  }

  fileprivate var firstFix: String? {
    remedies.first.map { remedy in
      ([remedy.title] + remedy.commands + remedy.options
        + [remedy.assumes, remedy.takesEffect, remedy.lasts].compactMap(\.self))
        .joined(separator: "\n")
    }
  }

  fileprivate func inShort(_ report: NeighbourReport) -> Comment {
    Comment(rawValue: "\(report.situation)\n\(text)")
  }
}
