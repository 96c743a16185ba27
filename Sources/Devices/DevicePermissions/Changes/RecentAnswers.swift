internal import AccessModel

/// The latest explanation of a question and the previous one.
///
/// A question often returns to its previous facts, which have the same explanation.
struct RecentAnswers {
  private var answered: AnsweredFacts?
  private var before: AnsweredFacts?

  var latest: Explanation? { answered?.explanation }

  /// Explains facts briefly, unless they equal those of a known explanation.
  mutating func take(_ facts: AccessFacts) {
    // A comparison of optionals would copy the facts each time.
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
