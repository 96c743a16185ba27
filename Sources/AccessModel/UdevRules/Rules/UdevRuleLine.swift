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

  /// The number of the first line of the file that it was written on.
  public var number: Int { numbers.lowerBound }

  /// Whether some part changes something whatever kind of device it is.
  var changesAnything: Bool {
    tokens.contains {
      $0.key.changesEvent
        || (!$0.key.isMatch && !$0.key.concernsNode && $0.key != .setName && $0.key != .staticNode)
    }
  }

  /// Whether some part concerns the node of a device.
  var concernsNode: Bool { tokens.contains { $0.key.concernsNode } }

  /// Whether it names a network interface.
  var namesInterface: Bool { tokens.contains { $0.key == .setName } }

  /// The nodes that the line is for although no event comes for them, without `/dev/`.
  public var staticNodes: [UdevRuleText] {
    tokens.filter { $0.key == .staticNode }.map(\.value)
  }
}
