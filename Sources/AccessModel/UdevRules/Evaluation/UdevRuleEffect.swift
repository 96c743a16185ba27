/// Something that a line set.
public struct UdevRuleEffect: Hashable, Sendable {
  /// What was set.
  public enum Subject: Hashable, Sendable {
    case owner, group, mode
    case securityLabel(UdevRuleText)
    case tag(UdevRuleText)
    case link(UdevRuleText)
    case property(UdevRuleText)
    case interfaceName
    case attribute(UdevRuleText)
    case setting(UdevRuleText)
    case command
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
