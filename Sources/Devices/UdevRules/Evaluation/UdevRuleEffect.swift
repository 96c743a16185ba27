/// An effect of a line on the device or the system.
public struct UdevRuleEffect: Hashable, Sendable {
  /// The subject that an effect changes.
  public enum Subject: Hashable, Sendable {
    /// The owner of the node.
    case owner
    /// The group of the node.
    case group
    /// The mode of the node.
    case mode
    /// The label of a security module.
    case securityLabel(UdevRuleText)
    /// A tag of the device.
    case tag(UdevRuleText)
    /// A link to the node, given by its full path.
    case link(UdevRuleText)
    /// A property of the device.
    case property(UdevRuleText)
    /// The name of a network interface.
    case interfaceName
    /// An attribute of a device, given by its full path.
    case attribute(UdevRuleText)
    /// A kernel setting, given by its path below `/proc/sys`.
    case setting(UdevRuleText)
    /// A command that runs after the rules.
    case command
    /// An option.
    case option(UdevRuleText)
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The part of the line that has the effect.
  public let token: UdevRuleToken
  /// The subject that the effect changes.
  public let subject: Subject
  /// The new value; `nil` if the effect removes the value, or sets none.
  public let value: UdevRuleKnown<UdevRuleText>?
  /// A Boolean value that indicates whether the effect certainly occurs.
  public let isCertain: Bool
  /// The later line that set the subject to another value or removed it.
  public internal(set) var overwritten: UdevRulePlace?
  /// The earlier line that made the value final with `:=`, which prevents this effect.
  public let fixed: UdevRulePlace?
}
