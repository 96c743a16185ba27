/// The limits for a JSON text, and the extensions that are allowed.
package struct JSONOptions: Hashable, Sendable {
  /// The maximum nesting depth of lists and objects.
  ///
  /// Types are decoded and encoded recursively, so this limits the use of the stack.
  package var depth: Int
  /// The maximum number of values in a text, because even a short text can require much memory.
  package var values: Int
  /// A Boolean value that indicates whether infinities and NaN are read and written as strings.
  ///
  /// JSON has no numbers for them. If this is `false`, writing one is an error.
  package var allowsNonFiniteNumbers: Bool

  package init(
    depth: Int = 64, values: Int = 4_000_000, allowsNonFiniteNumbers: Bool = false
  ) {
    self.depth = depth
    self.values = values
    self.allowsNonFiniteNumbers = allowsNonFiniteNumbers
  }
}
