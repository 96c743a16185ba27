public import UdevRules

extension UdevRuleProblem {
  /// The problem as a clause that includes the subject; it might not be safe to print.
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
