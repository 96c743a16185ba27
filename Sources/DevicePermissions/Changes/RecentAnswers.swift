internal import AccessModel

/// The latest answer to a question, and the one before: many go back to what they were, and the same
/// facts have the same explanation.
struct RecentAnswers {
  private var answered: (facts: AccessFacts, explanation: Explanation)?
  private var before: (facts: AccessFacts, explanation: Explanation)?

  var latest: Explanation? { answered?.explanation }

  /// Explains facts, in brief, unless they are known.
  mutating func take(_ facts: AccessFacts) {
    guard facts != answered?.facts else { return }
    let known = facts == before?.facts ? before : nil
    before = answered
    answered = known ?? (facts, facts.explain(inFull: false))
  }
}
