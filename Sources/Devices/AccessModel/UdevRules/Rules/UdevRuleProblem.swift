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

  /// The problem as a clause that includes the subject; it may not be safe to print.
  var clause: String {
    let name = subject.exact
    guard !subject.isEmpty else { return title }
    switch code {
    case .unknownKey: return "there is no key \(name)"
    case .invalidOperator: return "the operator after \(name) does not fit that key"
    case .invalidAttribute: return "the text in braces does not fit the key \(name)"
    case .invalidPair: return "\(title), and \(name) has not"
    default: return "\(title) (\(name))"
    }
  }

  /// The problem as a clause without the subject.
  public var title: String {
    switch code {
    case .lineTooLong: "the line has 16384 bytes or more"
    case .continuationTooLong: "the continued line has 16384 bytes or more"
    case .unfinishedContinuation: "the file ends where the line should go on"
    case .invalidPair: "a key needs an operator and a value in double quotes"
    case .unknownKey: "there is no such key"
    case .invalidAttribute: "the text in braces does not fit the key"
    case .invalidOperator: "the operator does not fit the key"
    case .assumedOperator: "the operator does not fit the key, so udevd assumes ="
    case .invalidPrefix: "the key does not take the prefix i"
    case .invalidValue: "the key does not take this value"
    case .invalidSubstitution: "a substitution is incomplete or unknown"
    case .unknownOption: "there is no such option"
    case .fixedProperty: "rules cannot set this property"
    case .repeatedJump: "the line has a GOTO already"
    case .missingLabel: "no later line of the file has this label"
    case .noEffect: "the line does nothing"
    case .notUTF8: "the line is not UTF-8"
    }
  }
}
