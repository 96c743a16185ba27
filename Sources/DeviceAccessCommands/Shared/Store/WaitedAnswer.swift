internal import AccessModel

/// The latest answer while waiting, and what could change it without an event.
struct WaitedAnswer: Hashable, Sendable {
  var answer: ExplainedFacts
  /// What is looked at again after an interval.
  var gaps: [Unobserved]
}
