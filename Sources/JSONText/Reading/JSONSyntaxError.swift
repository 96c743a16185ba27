/// What is wrong with a text that should have been JSON.
package struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One clause.
  package var problem: String
  /// Where, in bytes from the start of the text.
  package var offset: Int

  package var description: String { "\(problem) at byte \(offset)" }
}
