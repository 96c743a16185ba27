package import AccessModel

/// The facts of a question and the explanation that answers it.
///
/// This is a class because both are large and are passed on several times for each event.
package final class AnsweredFacts: Equatable, Sendable {
  package let facts: AccessFacts
  package let explanation: Explanation

  /// Combines facts with their existing explanation.
  package init(_ facts: AccessFacts, _ explanation: Explanation) {
    self.facts = facts
    self.explanation = explanation
  }

  /// Explains facts in full.
  package convenience init(_ facts: AccessFacts) { self.init(facts, facts.explain()) }

  package static func == (one: AnsweredFacts, other: AnsweredFacts) -> Bool {
    one === other || one.facts == other.facts && one.explanation == other.explanation
  }
}
