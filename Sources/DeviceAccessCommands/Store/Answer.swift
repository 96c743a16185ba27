internal import AccessModel

/// An explanation beside the facts that it was made from.
struct Answer: Hashable, Sendable {
  var facts: AccessFacts
  var explanation: Explanation
}
