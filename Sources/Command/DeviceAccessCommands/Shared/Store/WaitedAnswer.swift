internal import AccessModel

/// The latest answer during a wait, and the facts whose changes no event reports.
struct WaitedAnswer: Hashable, Sendable {
  var answer: ExplainedFacts
  /// The facts that are polled because no event reports their changes.
  var gaps: [Unobserved]
}
