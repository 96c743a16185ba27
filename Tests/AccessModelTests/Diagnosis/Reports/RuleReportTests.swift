import AccessModel
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A situation in which a rule of udev decides, written by somebody who had not read the code.
struct RuleReport: Decodable, CustomTestStringConvertible, Sendable {
  let id: String
  let situation: String
  /// The causes that are right to come first; empty where access is granted.
  let causes: [String]
  /// What has to be said somewhere, as regular expressions.
  let words: [String]
  /// The first fix, as a regular expression; `nil` where others decide which one comes first.
  let fix: String?
  /// What must not be said, as regular expressions.
  let forbidden: [String]
  let snapshot: AccessFacts

  var testDescription: String { "\(id): \(situation)" }

  static let all: [RuleReport] = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    let file = folder.appending(path: "Fixtures/Reports/rules.jsonl")
    guard let data = try? Data(contentsOf: file) else { return [] }
    return data.split(separator: UInt8(ascii: "\n")).compactMap { line in
      try? JSONDecoder().decode(RuleReport.self, from: Data(line))
    }
  }()
}

@Suite struct `Reports about rules of udev` {
  private static func text(_ remedy: Remedy) -> String {
    ([remedy.title] + remedy.commands.map { "# " + $0 } + remedy.options
      + [remedy.takesEffect, remedy.lasts, remedy.assumes].compactMap(\.self))
      .joined(separator: "\n")
  }

  private static func text(_ explanation: Explanation) -> String {
    let causes = [explanation.cause].compactMap(\.self) + explanation.furtherCauses
    return
      (["\(explanation.answer)"] + causes.map { "\($0.summary) (\($0.code.rawValue))" }
      + explanation.remedies.map(text) + [explanation.note].compactMap(\.self))
      .joined(separator: "\n")
  }

  @Test func `are all read`() {
    #expect(RuleReport.all.count == 83)
    #expect(Set(RuleReport.all.map(\.id)).count == RuleReport.all.count)
  }

  @Test(arguments: RuleReport.all)
  func `have the true cause first, and nothing false`(_ report: RuleReport) throws {
    let explanation = report.snapshot.explain()
    let text = Self.text(explanation)
    let comment = Comment(rawValue: text)
    if report.causes.isEmpty {
      #expect(explanation.answer == .allowed, comment)
    } else {
      #expect(report.causes.contains(explanation.cause?.code.rawValue ?? "none"), comment)
    }
    for word in report.words { #expect(text.contains(try Regex(word).ignoresCase()), comment) }
    for word in report.forbidden { #expect(!text.contains(try Regex(word)), comment) }
  }

  @Test(arguments: RuleReport.all.filter { $0.fix != nil })
  func `have a first fix that mends the rule`(_ report: RuleReport) throws {
    let remedy = try #require(report.snapshot.explain().remedies.first)
    let fix = try #require(report.fix)
    let text = Self.text(remedy)
    #expect(text.contains(try Regex(fix)), Comment(rawValue: text))
  }
}
