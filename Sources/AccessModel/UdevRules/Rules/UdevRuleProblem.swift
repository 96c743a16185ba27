/// A problem in a rules file, and its effect on what udevd applies.
public struct UdevRuleProblem: Hashable, Sendable {
  /// The kind of problem.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A line has 16384 bytes or more: udevd reads no further.
    case lineTooLong
    /// Lines that are continued are too long together.
    case continuationTooLong
    /// The file ends after a backslash.
    case unfinishedContinuation
    /// A key without an operator or a value in double quotes.
    case invalidPair
    /// No such key.
    case unknownKey
    /// The text in braces is missing, not allowed or unknown.
    case invalidAttribute
    /// The key does not take the operator.
    case invalidOperator
    /// The key does not take the operator; another one is assumed.
    case assumedOperator
    /// The key does not take the prefix `i`.
    case invalidPrefix
    /// The value cannot be what the key needs.
    case invalidValue
    /// A substitution has an error, and ends the text.
    case invalidSubstitution
    /// No such option.
    case unknownOption
    /// The property cannot be set.
    case fixedProperty
    /// The line has a `GOTO` already.
    case repeatedJump
    /// No later line has the label of a `GOTO`.
    case missingLabel
    /// The line does nothing.
    case noEffect
    /// The line is not UTF-8, which is allowed and rarely meant.
    case notUTF8
  }

  /// The effect of a problem on what udevd applies.
  public enum Consequence: String, Hashable, Sendable {
    /// It ignores the whole file.
    case ignoresFile
    /// It ignores the rest of the file, and no `GOTO` of the file works.
    case ignoresRest
    /// It ignores the line.
    case ignoresLine
    /// It ignores one part of the line.
    case ignoresPart
    /// It goes on.
    case none
  }

  /// The line, counted from 1.
  public let line: Int
  /// The kind of problem.
  public let code: Code
  /// The effect of the problem on what udevd applies.
  public let consequence: Consequence
  /// The key, value or label that is wrong; it need not be fit to print.
  public let subject: UdevRuleText

  /// The problem as a clause with its subject; it need not be fit to print.
  var clause: String {
    let name = subject.exact
    guard !subject.isEmpty else { return title }
    switch code {
    case .unknownKey: return "there is no key \(name)"
    case .invalidOperator: return "the key \(name) does not take this operator"
    case .invalidAttribute: return "the text in braces does not fit the key \(name)"
    case .invalidPair: return "\(title), and \(name) has not"
    default: return "\(title) (\(name))"
    }
  }

  /// The problem as a sentence without the subject.
  public var title: String {
    switch code {
    case .lineTooLong: "the line has 16384 bytes or more"
    case .continuationTooLong: "the continued line has 16384 bytes or more"
    case .unfinishedContinuation: "the file ends where the line should go on"
    case .invalidPair: "a key needs an operator and a value in double quotes"
    case .unknownKey: "there is no such key"
    case .invalidAttribute: "the text in braces does not fit the key"
    case .invalidOperator: "the key does not take this operator"
    case .assumedOperator: "the key does not take this operator, so udevd assumes ="
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
