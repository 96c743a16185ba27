internal import AccessModel

/// The facts of a question and the explanation that answers it.
///
/// This is a class because both are large and are passed on several times for each event.
final class AnsweredFacts: Sendable {
  let facts: AccessFacts
  let explanation: Explanation

  init(_ facts: AccessFacts, _ explanation: Explanation) {
    self.facts = facts
    self.explanation = explanation
  }
}
