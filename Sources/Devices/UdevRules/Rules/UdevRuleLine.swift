/// A line of a rules file that udevd keeps.
public struct UdevRuleLine: Hashable, Sendable {
  /// The lines of the file that the rule spans, counted from 1.
  public let numbers: ClosedRange<Int>
  /// The parts of the line, in the order in which they take effect.
  public internal(set) var tokens: [UdevRuleToken]
  /// The label that a `GOTO` can refer to.
  public let label: UdevRuleText?
  /// The label at which udevd continues if all matches of the line hold.
  public internal(set) var jump: UdevRuleText?
  /// The index of the line with that label among the lines of the file that udevd keeps.
  public internal(set) var target: Int?

  // These values are computed once, because each event needs them for each line. A line whose parts
  // are dropped later has no part that affects them.

  /// A Boolean value that indicates whether any part does more than match.
  let acts: Bool
  /// A Boolean value that indicates whether any part has an effect on every kind of device.
  let changesAnything: Bool
  /// A Boolean value that indicates whether any part affects the node of a device.
  let concernsNode: Bool
  /// A Boolean value that indicates whether the line names a network interface.
  let namesInterface: Bool

  init(
    numbers: ClosedRange<Int>, tokens: [UdevRuleToken], label: UdevRuleText?, jump: UdevRuleText?
  ) {
    self.numbers = numbers
    self.tokens = tokens
    self.label = label
    self.jump = jump
    var changesAnything = false
    var concernsNode = false
    var namesInterface = false
    var setsStaticNode = false
    for token in tokens {
      let key = token.key
      if key.isMatch, !key.changesEvent { continue }
      if key.concernsNode {
        concernsNode = true
      } else if key == .setName {
        namesInterface = true
      } else if key == .staticNode {
        setsStaticNode = true
      } else {
        changesAnything = true
      }
    }
    self.changesAnything = changesAnything
    self.concernsNode = concernsNode
    self.namesInterface = namesInterface
    acts = changesAnything || concernsNode || namesInterface || setsStaticNode
  }

  /// A Boolean value that indicates whether udevd keeps the line.
  var hasEffect: Bool { label != nil || jump != nil || acts }

  /// The number of the first line of the file that the rule spans.
  public var number: Int { numbers.lowerBound }

  /// The nodes that the line affects even without an event, without `/dev/`.
  public var staticNodes: [UdevRuleText] {
    tokens.filter { $0.key == .staticNode }.map(\.value)
  }
}

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
  /// The part as it could be written; it might not be safe to print.
  public var description: String {
    let braces = attribute.map { "{\($0)}" } ?? ""
    let value = UdevRuleText(value.bytes.flatMap { $0 == .quote ? [.backslash, .quote] : [$0] })
    return "\(key.word)\(braces)\(comparison.rawValue)\(ignoresCase ? "i" : "")\"\(value)\""
  }
}

/// The operator of a key.
public enum UdevRuleOperator: String, Hashable, Sendable, CaseIterable {
  /// Holds if the value matches.
  case equal = "=="
  /// Holds if the value does not match.
  case unequal = "!="
  /// Adds to a list.
  case add = "+="
  /// Removes from a list.
  case remove = "-="
  /// Assigns a value.
  case assign = "="
  /// Assigns a value that later lines cannot change.
  case assignFinally = ":="

  /// A Boolean value that indicates whether the operator makes the key a match, not an assignment.
  public var isMatch: Bool { self == .equal || self == .unequal }
}
