public import AccessModel

/// An answer, and why it is another one than before.
public struct AnswerChange: Hashable, Sendable {
  /// Which of the questions it answers, counted from 0.
  public var index: Int
  /// The facts behind the answer.
  public var facts: AccessFacts
  /// The answer, with the rule that decided and the fixes.
  public var explanation: Explanation
  /// The answer before; `nil` for the first.
  public var before: Explanation?
  /// What became different since, the most telling first; empty for the first answer.
  public var differences: [FactsDifference]
  /// What is not told by events, so that it is looked at after an interval; each with the reason.
  public var gaps: [Unobserved]
}

extension Explanation {
  /// Whether another answer would tell a person something else.
  ///
  /// Evidence, fixes and names do not count: they can change while the answer stays.
  func isSameAnswer(as other: Explanation) -> Bool {
    answer == other.answer && status == other.status && availability == other.availability
      && path == other.path && granted == other.granted && decision.rule == other.decision.rule
      && decision.at == other.decision.at && cause?.code == other.cause?.code
      && cause?.summary == other.cause?.summary && device?.sysfsPath == other.device?.sysfsPath
  }
}
