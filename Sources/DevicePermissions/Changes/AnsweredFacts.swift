internal import AccessModel

/// Facts, and the answer to a question from them: an object, because both are large and are handed
/// on several times for each event.
final class AnsweredFacts: Sendable {
  let facts: AccessFacts
  let explanation: Explanation

  init(_ facts: AccessFacts, _ explanation: Explanation) {
    self.facts = facts
    self.explanation = explanation
  }
}
