extension UdevRuleReport {
  /// What udevd gives a node.
  public struct Node: Hashable, Sendable {
    /// Its owner; `nil` for the one that it has.
    public let owner: UdevRuleKnown<UInt32?>
    /// Its group; `nil` for the one that it has.
    public let group: UdevRuleKnown<UInt32?>
    /// Its mode; `nil` for the one that it has.
    public let mode: UdevRuleKnown<UInt32?>
  }

  /// What the node of the device has afterwards.
  ///
  /// With a group that is not 0, and without a mode from a rule or the kernel, udevd sets 0660.
  public var node: Node {
    guard case .value(nil) = mode else { return Node(owner: owner, group: group, mode: mode) }
    let upgraded: UdevRuleKnown<UInt32?> =
      switch group {
      case .value(let id): .value((id ?? 0) > 0 ? 0o660 : nil)
      case .unknown(let doubt): .unknown(doubt)
      }
    return Node(owner: owner, group: group, mode: upgraded)
  }
}
