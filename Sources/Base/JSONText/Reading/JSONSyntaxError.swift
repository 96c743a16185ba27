/// An error in a text that is not valid JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error as one clause.
  package var problem: String
  /// The position of the error, in bytes from the start of the text.
  package var offset: Int

  package var description: String { "\(problem) at byte \(offset)" }
}
