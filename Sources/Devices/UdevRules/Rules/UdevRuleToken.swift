/// One part of a line: a key, an operator and a value.
public struct UdevRuleToken: Hashable, Sendable {
  // Large members come first, so smaller ones fill the gaps; thousands of tokens are kept in
  // memory.

  /// The position of the part in its line, counted from 0.
  public let position: Int
  /// The text in braces after the key.
  public let attribute: UdevRuleText?
  /// The value, without quotes and escapes.
  public let value: UdevRuleText
  /// The number in the value, such as an ID, a mode or a priority.
  package let number: Int64?
  /// The pattern that a match compares values with.
  package let pattern: UdevRulePattern
  /// The kind of part.
  public let key: UdevRuleKey
  /// The operator, as udevd interprets it.
  public let comparison: UdevRuleOperator

  init(
    key: UdevRuleKey, attribute: UdevRuleText?, comparison: UdevRuleOperator, value: UdevRuleText,
    position: Int, ignoresCase: Bool, number: Int64?
  ) {
    self.key = key
    self.attribute = attribute
    self.comparison = comparison
    self.value = value
    self.position = position
    self.number = number
    pattern = UdevRulePattern(
      key.isMatch ? value.bytes : [], isNegated: comparison == .unequal, ignoresCase: ignoresCase,
      isSubsystem: key == .subsystem, isSplit: key.isSplit)
  }

  /// A Boolean value that indicates whether the match ignores the case of letters.
  public var ignoresCase: Bool { pattern.ignoresCase }

  /// A Boolean value that indicates whether blanks at the end of the found value are ignored.
  ///
  /// They are ignored unless the wanted value ends with a blank. If the wanted value has several
  /// alternatives, udevd checks only the first one that is not empty, because `rule_line_add_token`
  /// has replaced the bars with zero bytes.
  package var trimsFoundValue: Bool {
    let first = value.bytes.drop { $0 == UInt8(ascii: "|") }.prefix { $0 != UInt8(ascii: "|") }
    guard let last = first.last else { return false }
    return !last.isSpace
  }

  /// A Boolean value that indicates whether a program, an import or a test must succeed, not fail.
  var wantsSuccess: Bool { !pattern.isNegated }
}

extension UdevRuleToken: CustomStringConvertible {
  /// The part as it could be written; it may not be safe to print.
  public var description: String {
    let braces = attribute.map { "{\($0)}" } ?? ""
    let value = UdevRuleText(value.bytes.flatMap { $0 == .quote ? [.backslash, .quote] : [$0] })
    return "\(key.word)\(braces)\(comparison.rawValue)\(ignoresCase ? "i" : "")\"\(value)\""
  }
}
