/// What is wrong with a text that should have been JSON.
struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One clause.
  var problem: String
  /// Where, in bytes from the start of the text.
  var offset: Int

  var description: String { "\(problem) at byte \(offset)" }
}
