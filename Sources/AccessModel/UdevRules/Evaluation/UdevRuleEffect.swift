/// Something that a line set.
public struct UdevRuleEffect: Hashable, Sendable {
  /// What was set.
  public enum Subject: Hashable, Sendable {
    /// The owner of the node.
    case owner
    /// The group of the node.
    case group
    /// The mode of the node.
    case mode
    /// The label of a security module.
    case securityLabel(UdevRuleText)
    /// A tag.
    case tag(UdevRuleText)
    /// A link to the node, with its whole path.
    case link(UdevRuleText)
    /// A property.
    case property(UdevRuleText)
    /// The name of a network interface.
    case interfaceName
    /// An attribute of a device, with its whole path.
    case attribute(UdevRuleText)
    /// A setting of the kernel, below `/proc/sys`.
    case setting(UdevRuleText)
    /// A command that runs afterwards.
    case command
    /// An option.
    case option(UdevRuleText)
  }

  /// The line.
  public let place: UdevRulePlace
  /// The part of the line.
  public let token: UdevRuleToken
  /// What it set.
  public let subject: Subject
  /// What it set it to; `nil` when it took it away.
  public let value: UdevRuleKnown<UdevRuleText>?
  /// Whether it surely took effect.
  public let isCertain: Bool
  /// The later line that set the same to something else, or took it away.
  public internal(set) var overwritten: UdevRulePlace?
  /// The earlier line that fixed it with `:=`, so that this one had no effect.
  public let fixed: UdevRulePlace?
}
