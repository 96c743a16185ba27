internal import AccessModel

/// Facts and what explaining them gave.
struct Examination: Hashable, Sendable {
  var facts: AccessFacts
  var explanation: Explanation
}
