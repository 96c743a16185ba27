internal import Glibc
internal import JSONText
internal import UdevRules

/// Reads questions from standard input, one per line, and prints an answer for each.
///
/// A question contains rules files, an environment and events. The answer contains the prediction
/// for each event. Strings represent bytes: each character from U+0000 to U+00FF is one byte.
enum PredictionCommand {
  static func run() -> Int32 {
    while let line = readLine() {
      do {
        let question = try JSONReader.decode(Question.self, from: Array(line.utf8))
        print(try JSONWriter.encode(answer(question)))
      } catch {
        print(#"{"error":\#(JSONQuotes.quoted("\(error)"))}"#)
      }
      // The caller waits for the answer.
      fflush(nil)
    }
    return 0
  }

  private static func answer(_ question: Question) -> Answer {
    let version = UdevRuleVersion(question.version, release: question.release)
    var files: [(path: String, bytes: [UInt8])] = question.files.map {
      ($0.path, $0.text.text.bytes)
    }
    if question.chooses {
      let candidates = files.map {
        let slash = $0.path.lastIndex(of: "/") ?? $0.path.startIndex
        return UdevRuleFileChoice.Candidate(
          folder: String($0.path[..<slash]), name: String($0.path[slash...].dropFirst()),
          isEmpty: $0.bytes.isEmpty)
      }
      let texts = Dictionary(files.map { ($0.path, $0.bytes) }) { first, _ in first }
      files = UdevRuleFileChoice(candidates).read.map { ($0.path, texts[$0.path] ?? []) }
    }
    let rules = UdevRuleSet(
      files.map { UdevRuleFile(path: $0.path, bytes: $0.bytes, version: version) })
    let environment = question.environment.environment(version)
    return Answer(
      problems: rules.files.flatMap { file in
        file.problems.map { "\(file.path):\($0.line) \($0.code.rawValue)" }
      },
      reports: question.events.map { Answer.Report(rules.evaluate($0.event, environment)) })
  }
}
