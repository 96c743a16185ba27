import Testing

@testable import DeviceAccessCommands

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A snapshot with the answer that an expert expects, written by people who had not seen the code.
///
/// Each line of `third.jsonl` to `seventeenth.jsonl` in `Tests/Fixtures/Reports` is a public report.
/// Each line of `misses.jsonl` is a report that was once answered incorrectly, and each line of
/// `variants.jsonl` is a variation of one.
struct ExpectedAnswer: Decodable, CustomTestStringConvertible, Sendable {
  /// A part of an answer that can be wrong.
  enum Part: String, CaseIterable {
    /// The first cause.
    case cause
    /// The first fix.
    case fix
    /// The words that must occur.
    case words
    /// The absence of false statements.
    case truth
  }

  var report: String
  var situation: String
  /// The codes that are correct for the first cause; `none` for an answer without a cause.
  var causes: [String]
  /// The correct answers; `nil` if any is correct.
  var answers: [String]?
  /// A pattern for the first fix; `nil` if any is correct.
  var firstFix: String?
  /// A Boolean value that indicates whether an answer without a fix is also correct.
  var mayLackFix: Bool?
  /// A Boolean value that indicates whether the first fix must last.
  var mustLast: Bool?
  /// Patterns that the text must match.
  var words: [String]?
  /// Patterns of false statements.
  var forbidden: [String]?

  private enum CodingKeys: String, CodingKey {
    case report, situation, causes, answers, words, forbidden
    case firstFix = "first_fix"
    case mayLackFix = "no_fix"
    case mustLast = "lasts"
  }

  var testDescription: String { "\(report): \(situation)" }

  /// Returns the incorrect parts of the printed answer.
  func wrongParts(text: String, json: AnswerSummary) throws -> Set<Part> {
    var wrong: Set<Part> = []
    let code = json.cause?.code ?? json.furtherCauses?.first?.code ?? "none"
    let isNamed = causes.contains { $0.hasPrefix("OTHER:") } && !(words ?? []).isEmpty
    if !(causes.contains(code) || isNamed) { wrong.insert(.cause) }
    if let answers, !answers.contains(json.answer ?? "") { wrong.insert(.cause) }
    if let first = json.remedies?.first {
      let isRight = try firstFix.map { try matches($0, first.text) } ?? (mayLackFix != true)
      if !isRight || (mustLast == true && first.lasts != nil) { wrong.insert(.fix) }
    } else if mayLackFix != true, firstFix != nil {
      wrong.insert(.fix)
    }
    let flat = Self.unwrapped(text)
    if try !(words ?? []).allSatisfy({ try matches($0, flat) }) { wrong.insert(.words) }
    let lines = try (forbidden ?? []).contains { try matches($0, text) || matches($0, flat) }
    if lines { wrong.insert(.truth) }
    return wrong
  }

  /// Returns the text with each wrapped sentence on one line; commands and options keep their own
  /// lines.
  private static func unwrapped(_ text: String) -> String {
    text.split(separator: "\n").reduce(into: "") { result, line in
      let line = line.drop { $0 == " " }
      let isCommand = ["# ", "$ ", "option:"].contains(where: line.hasPrefix)
      result += (isCommand ? "\n" : " ") + line.split(separator: " ").joined(separator: " ")
    }
  }

  private func matches(_ pattern: String, _ text: String) throws -> Bool {
    text.firstMatch(
      of: try Regex(pattern).ignoresCase().dotMatchesNewlines()
        .wordBoundaryKind(.simple)) != nil
  }

  /// Returns the reports of a file with the text of their snapshots, the last member of each line.
  static func read(_ name: String) throws -> [(expected: ExpectedAnswer, snapshot: String)] {
    let file = folder.appending(path: "\(name).jsonl")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    return try lines.map { line in
      let start = try #require(line.firstRange(of: #","snapshot":{"#)).upperBound
      let snapshot = String(line[line.index(before: start)...].dropLast())
      return (try JSONDecoder().decode(ExpectedAnswer.self, from: Data(line.utf8)), snapshot)
    }
  }

  static let folder: URL = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<2 { folder.deleteLastPathComponent() }
    return folder.appending(path: "Fixtures/Reports")
  }()
}

/// The parts of a JSON answer that are compared with a report.
struct AnswerSummary: Decodable {
  struct Cause: Decodable {
    var code: String
  }

  struct Remedy: Decodable {
    var title: String
    var commands: [String]?
    var options: [String]?
    var lasts: String?
    var takesEffect: String?

    private enum CodingKeys: String, CodingKey {
      case title, commands, options, lasts
      case takesEffect = "takes_effect"
    }

    var text: String {
      ([title] + (commands ?? []).map { "# \($0)" } + (options ?? []) + [takesEffect ?? ""]).joined(
        separator: " ")
    }
  }

  var answer: String?
  var cause: Cause?
  var furtherCauses: [Cause]?
  var remedies: [Remedy]?

  private enum CodingKeys: String, CodingKey {
    case answer, cause, remedies
    case furtherCauses = "further_causes"
  }
}

@Suite struct `The answers to reports that nobody here had seen` {
  @Test func `do not call it a cause that something speaks against what is allowed`() async throws {
    let reports = try ExpectedAnswer.read("fourth")
    let report = try #require(reports.first { $0.expected.report == "C019" })
    let file = try TemporaryFile(report.snapshot)
    let text = await CommandResult.run(["explain", "--from", file.path]).output
    #expect(text.contains("allowed"))
    #expect(text.contains("\nProblem  ") && !text.contains("\nCause"))
  }

  /// The answers that are known to be incorrect, as `REPORT PART`.
  ///
  /// When an answer is corrected, its entry must be removed.
  private static let knownWrong: Set<String> = {
    let text = try? String(
      contentsOf: ExpectedAnswer.folder.appending(path: "wrong-answers.txt"), encoding: .utf8)
    return Set((text ?? "").split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") })
  }()

  @Test(arguments: [
    ("third", 33), ("fourth", 34), ("fifth", 33), ("sixth", 31), ("seventh", 30),
    ("eighth", 30), ("ninth", 24), ("tenth", 60), ("eleventh", 59), ("twelfth", 59),
    ("thirteenth", 60), ("fourteenth", 60), ("fifteenth", 120), ("sixteenth", 60),
    ("seventeenth", 60),
    ("misses", 36), ("variants", 278),
  ])
  func `are right but for those that are listed`(name: String, count: Int) async throws {
    let reports = try ExpectedAnswer.read(name)
    #expect(reports.count == count)
    var wrong: Set<String> = []
    for (expected, snapshot) in reports {
      let file = try TemporaryFile(snapshot)
      let text = await CommandResult.run(["explain", "--from", file.path])
      let json = await CommandResult.run(["explain", "--json", "--from", file.path])
      let summary = try? JSONDecoder().decode(AnswerSummary.self, from: Data(json.output.utf8))
      let parts = try expected.wrongParts(
        text: text.output + text.errors, json: summary ?? AnswerSummary())
      wrong.formUnion(parts.map { "\(expected.report) \($0.rawValue)" })
    }
    let listed = Self.knownWrong.filter { line in
      reports.contains { line.hasPrefix($0.expected.report + " ") }
    }
    #expect(wrong.subtracting(listed).sorted() == [], "answered wrongly, and not listed")
    #expect(listed.subtracting(wrong).sorted() == [], "listed as wrong, and right")
  }
}
