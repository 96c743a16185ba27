public import AccessModel

/// A new answer to a question, and its differences from the previous answer.
public struct AnswerChange: Hashable, Sendable {
  /// The index of the question in the sequence's questions, starting at 0.
  public var index: Int
  /// The facts on which the answer is based.
  public var facts: AccessFacts
  /// The answer, with the deciding rule and the fixes.
  public var explanation: Explanation
  /// The previous answer to the question; `nil` for the first answer.
  public var before: Explanation?
  /// The differences from the facts of the previous answer, the most significant first; empty for
  /// the first answer.
  public var differences: [FactsDifference]
  /// The objects that send no events and are polled instead, each with the reason.
  public var gaps: [Unobserved]
}

extension Explanation {
  /// Returns `true` if another explanation gives the same answer for the same reason.
  ///
  /// Evidence, fixes and names are not compared, because they can change while the answer remains
  /// the same.
  func isSameAnswer(as other: Explanation) -> Bool {
    answer == other.answer && status == other.status && availability == other.availability
      && path == other.path && granted == other.granted && decision.rule == other.decision.rule
      && decision.at == other.decision.at && cause?.code == other.cause?.code
      && cause?.summary == other.cause?.summary && device?.sysfsPath == other.device?.sysfsPath
  }
}
