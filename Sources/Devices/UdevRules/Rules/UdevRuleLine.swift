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
