/// One part of a line: a key, an operator and a value.
public struct UdevRuleToken: Hashable, Sendable {
  // The big members first: thousands of parts are kept, and the others fit into their gaps.

  /// Where it is in its line, counted from 0.
  public let position: Int
  /// What is in braces after the key.
  public let attribute: UdevRuleText?
  /// The value without its quotes and escapes.
  public let value: UdevRuleText
  /// A number that the value holds: an ID, a mode, a priority.
  let number: Int64?
  /// What the value of a match stands for.
  let pattern: UdevRulePattern
  /// What it does.
  public let key: UdevRuleKey
  /// The operator, as udevd understands it.
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

  /// Whether the case of letters does not matter.
  public var ignoresCase: Bool { pattern.ignoresCase }

  /// Whether blanks at the end of the found value are ignored: unless the wanted value has some.
  ///
  /// Of several alternatives, udevd looks at the first one that is not empty (`rule_line_add_token`,
  /// which has put zero bytes in the place of the bars).
  var trimsFoundValue: Bool {
    let first = value.bytes.drop { $0 == UInt8(ascii: "|") }.prefix { $0 != UInt8(ascii: "|") }
    guard let last = first.last else { return false }
    return !last.isSpace
  }

  /// Whether a match that does something goes on when that succeeds.
  var wantsSuccess: Bool { !pattern.isNegated }
}

extension UdevRuleToken: CustomStringConvertible {
  /// The part as it could be written; it need not be fit to print.
  public var description: String {
    let braces = attribute.map { "{\($0)}" } ?? ""
    let value = value.description.placing("\\", before: "\"")
    return "\(key.word)\(braces)\(comparison.rawValue)\(ignoresCase ? "i" : "")\"\(value)\""
  }
}
