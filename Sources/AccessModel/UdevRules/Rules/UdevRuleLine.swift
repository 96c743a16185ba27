/// A line of a rules file that udevd keeps.
public struct UdevRuleLine: Hashable, Sendable {
  /// The lines of the file that it was written on, counted from 1.
  public let numbers: ClosedRange<Int>
  /// Its parts, in the order in which they take effect.
  public internal(set) var tokens: [UdevRuleToken]
  /// The label by which others reach it.
  public let label: UdevRuleText?
  /// The label where udevd goes on when all its matches hold.
  public internal(set) var jump: UdevRuleText?
  /// The line with that label, counted from 0 among the lines of the file that udevd keeps.
  public internal(set) var target: Int?

  // Found out once, because each event asks each line. A line whose parts are dropped had none that
  // count here.

  /// Whether some part does more than to ask.
  let acts: Bool
  /// Whether some part changes something whatever kind of device it is.
  let changesAnything: Bool
  /// Whether some part concerns the node of a device.
  let concernsNode: Bool
  /// Whether it names a network interface.
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

  /// Whether udevd keeps it.
  var hasEffect: Bool { label != nil || jump != nil || acts }

  /// The number of the first line of the file that it was written on.
  public var number: Int { numbers.lowerBound }

  /// The nodes that the line is for although no event comes for them, without `/dev/`.
  public var staticNodes: [UdevRuleText] {
    tokens.filter { $0.key == .staticNode }.map(\.value)
  }
}
