internal import AccessModel

/// The latest answer to a question, and the one before: many go back to what they were, and the same
/// facts have the same explanation.
struct RecentAnswers {
  private var answered: AnsweredFacts?
  private var before: AnsweredFacts?

  var latest: Explanation? { answered?.explanation }

  /// Explains facts, in brief, unless they are known.
  mutating func take(_ facts: AccessFacts) {
    // An optional would be a copy of the facts each time.
    if let answered, answered.facts == facts { return }
    let earlier = before
    before = answered
    if let earlier, earlier.facts == facts {
      answered = earlier
    } else {
      answered = AnsweredFacts(facts, facts.explain(inFull: false))
    }
  }
}
