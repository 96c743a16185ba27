internal import AccessModel

/// Facts and what explaining them gave.
struct ExplainedFacts: Hashable, Sendable {
  var facts: AccessFacts
  var explanation: Explanation
}
