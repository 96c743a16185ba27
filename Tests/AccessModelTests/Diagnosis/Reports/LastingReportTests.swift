import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A situation in which a fix once did not last or had no effect, written from its facts alone.
///
/// Each line of `Tests/Fixtures/Reports/lasting.jsonl` is one.
struct LastingReport: Decodable, CustomTestStringConvertible, Sendable {
  /// The class of the situation and a number.
  var name: String
  /// The situation in a sentence.
  var situation: String
  /// The causes that may come first.
  var causes: [String?]
  /// The pattern of the first fix; `nil` where any will do.
  var fix: String?
  /// Whether no fix may be printed as well.
  var mayLackFix: Bool
  /// Patterns of text that must not be printed.
  var forbidden: [String]
  var snapshot: AccessFacts

  private enum CodingKeys: String, CodingKey {
    case name, situation, causes, fix, forbidden, snapshot
    case mayLackFix = "may_lack_fix"
  }

  var testDescription: String { "\(name): \(situation)" }

  /// The situations of the file; a file that cannot be read has none, which the count shows.
  static let all: [LastingReport] = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let file = folder.appending(path: "Fixtures/Reports/lasting.jsonl")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONDecoder().decode(LastingReport.self, from: Data(line))
    }
  }()
}

struct LastingReportTests {
  @Test(arguments: LastingReport.all)
  func `the cause is right and the first fix lasts`(_ report: LastingReport) throws {
    let explanation = report.snapshot.explain()
    let cause = explanation.cause ?? explanation.furtherCauses.first
    #expect(report.causes.contains(cause?.code.rawValue))
    let first = explanation.remedies.first
    let interim = explanation.remedies.dropFirst().first.flatMap { $0.isInterim ? $0 : nil }
    if let pattern = report.fix, let first {
      #expect(try first.text.contains(Regex(pattern).ignoresCase()), "\(first.text)")
      #expect(interim == nil || first.end.isLasting && !(interim?.end.isLasting ?? true))
    } else if report.fix != nil {
      #expect(report.mayLackFix, "no fix")
    }
    let shown = [cause?.summary, explanation.note, first?.text, interim?.text]
      .compactMap(\.self).joined(separator: "\n")
    for pattern in report.forbidden {
      #expect(try !shown.contains(Regex(pattern).ignoresCase()), "\(shown)")
    }
  }

  @Test
  func `every line is read`() {
    #expect(LastingReport.all.count == 93)
    #expect(Set(LastingReport.all.map(\.name)).count == 93)
  }
}

extension Remedy {
  /// What is printed of it, as far as a reader judges it by that.
  fileprivate var text: String {
    ([title] + commands + options + [assumes, excess, takesEffect, lasts].compactMap(\.self))
      .joined(separator: "\n")
  }
}
