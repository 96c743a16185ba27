/// A problem in a rules file, with its consequence.
public struct UdevRuleProblem: Hashable, Sendable {
  /// The kind of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A line has 16384 bytes or more, and udevd stops reading there.
    case lineTooLong
    /// Continued lines have 16384 bytes or more in total.
    case continuationTooLong
    /// The file ends after a backslash.
    case unfinishedContinuation
    /// A key lacks an operator or a value in double quotes.
    case invalidPair
    /// The key is unknown.
    case unknownKey
    /// The text in braces is missing, not allowed or unknown.
    case invalidAttribute
    /// The key does not accept the operator.
    case invalidOperator
    /// The key does not accept the operator, and udevd uses another one.
    case assumedOperator
    /// The key does not accept the prefix `i`.
    case invalidPrefix
    /// The key does not accept the value.
    case invalidValue
    /// A substitution is incomplete or unknown.
    case invalidSubstitution
    /// The option is unknown.
    case unknownOption
    /// Rules cannot set the property.
    case fixedProperty
    /// The line already has a `GOTO`.
    case repeatedJump
    /// No later line has the label of the `GOTO`.
    case missingLabel
    /// The line has no effect.
    case noEffect
    /// The line is not UTF-8, which is allowed but rarely intended.
    case notUTF8
  }

  /// The consequence of a problem for the rules that udevd applies.
  public enum Consequence: String, Hashable, Sendable {
    /// udevd ignores the whole file.
    case ignoresFile
    /// udevd ignores the rest of the file, and no `GOTO` in the file works.
    case ignoresRest
    /// udevd ignores the line.
    case ignoresLine
    /// udevd ignores a part of the line.
    case ignoresPart
    /// udevd ignores nothing.
    case none
  }

  /// The number of the line, counted from 1.
  public let line: Int
  /// The kind of problem.
  public let code: Code
  /// The consequence for the rules that udevd applies.
  public let consequence: Consequence
  /// The invalid key, value or label; it may not be safe to print.
  public let subject: UdevRuleText
}
