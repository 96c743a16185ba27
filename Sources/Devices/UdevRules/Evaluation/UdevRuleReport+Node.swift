extension UdevRuleReport {
  /// The owner, group and mode that udevd gives a node.
  public struct Node: Hashable, Sendable {
    /// The owner; a value of `nil` means that udevd does not change it.
    public let owner: UdevRuleKnown<UInt32?>
    /// The group; a value of `nil` means that udevd does not change it.
    public let group: UdevRuleKnown<UInt32?>
    /// The mode; a value of `nil` means that udevd does not change it.
    public let mode: UdevRuleKnown<UInt32?>
  }

  /// The owner, group and mode of the device's node after the event.
  ///
  /// If the group is not 0, and neither a rule nor the kernel specifies a mode, udevd sets 0660.
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
