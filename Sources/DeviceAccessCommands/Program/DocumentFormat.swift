internal import AccessModel
internal import JSONText

/// The documents that the command takes from others, and all that it makes of them.
///
/// One door for what is not a command line: the fuzzer, and the test that goes through its corpus.
package enum DocumentFormat: String, CaseIterable, Sendable {
  /// What `devaccess snapshot` writes and `explain --from` takes.
  case snapshot
  /// One line of what `devaccess decide` takes.
  case accessCase = "case"

  /// What the command made of a document.
  package struct Reading: Hashable, Sendable {
    /// The answers as people and as programs get them.
    package var answers: [String]
    /// The document, written anew.
    package var document: String
  }

  /// Reads a document and answers it in every way.
  ///
  /// - Throws: `JSONSyntaxError`, or what the types throw for a document without a meaning.
  package func read(_ bytes: [UInt8]) throws -> Reading {
    switch self {
    case .snapshot:
      let facts = try JSONReader.decode(AccessFacts.self, from: bytes)
      return try Reading(
        answers: answers(to: facts), document: JSONWriter.encode(facts, layout: .indented))
    case .accessCase:
      let access = try JSONReader.decode(AccessCase.self, from: bytes)
      return try Reading(
        answers: [JSONWriter.encode(CaseAnswer(id: access.id, access.decide()))],
        document: JSONWriter.encode(access))
    }
  }

  private func answers(to facts: AccessFacts) throws -> [String] {
    let answer = ExplainedFacts(facts: facts, explanation: facts.explain())
    return [
      ExplanationText(
        explanation: answer.explanation, facts: facts, style: .plain, engine: .docker
      ).text,
      CheckText(explanation: answer.explanation, facts: facts, style: .plain).text,
      try JSONWriter.encode(ExplainOutput(answer: answer, engine: .podman)),
    ]
  }
}
