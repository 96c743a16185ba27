internal import AccessModel
internal import DevicePermissions
internal import JSONText

/// The formats of the documents that `devaccess` reads.
///
/// The fuzzer and the test that reads its corpus use this type to parse and answer a document.
package enum DocumentFormat: String, CaseIterable, Sendable {
  /// The output of `devaccess snapshot`, which `explain --from` reads.
  case snapshot
  /// One line of the input of `devaccess decide`.
  case accessCase = "case"

  /// The result of reading a document.
  package struct Reading: Hashable, Sendable {
    /// The answers, as text and as JSON.
    package var answers: [String]
    /// The document, encoded again from the decoded value.
    package var document: String
  }

  /// Reads a document and produces its answers in every format.
  ///
  /// - Throws: `JSONSyntaxError` for invalid JSON, or the decoding error for an invalid document.
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
    let answer = AnsweredFacts(facts)
    return [
      ExplanationText(
        explanation: answer.explanation, facts: facts, style: .plain, engine: .docker
      ).text,
      CheckText(explanation: answer.explanation, facts: facts, style: .plain).text,
      try JSONWriter.encode(ExplainOutput(answer: answer, engine: .podman)),
    ]
  }
}
