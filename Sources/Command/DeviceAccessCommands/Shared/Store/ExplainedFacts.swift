internal import AccessModel

/// Facts and their explanation.
struct ExplainedFacts: Hashable, Sendable {
  var facts: AccessFacts
  var explanation: Explanation
}
