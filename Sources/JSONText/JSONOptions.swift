/// What a text may hold beyond the plainest JSON, and how much of it.
package struct JSONOptions: Hashable, Sendable {
  /// How deep lists and objects may nest.
  ///
  /// Types decode and encode themselves by recursion, so this bounds the stack that a text takes.
  package var depth: Int
  /// How many values a text may hold: a short text can ask for much memory.
  package var values: Int
  /// Whether an infinity or a value that is not a number stands as a string.
  ///
  /// JSON has no number for either; without this, writing one is an error.
  package var allowsNonFiniteNumbers: Bool

  package init(
    depth: Int = 64, values: Int = 4_000_000, allowsNonFiniteNumbers: Bool = false
  ) {
    self.depth = depth
    self.values = values
    self.allowsNonFiniteNumbers = allowsNonFiniteNumbers
  }
}
