/// The verdict for one line of the requested file.
public struct RuleVerdict: Hashable, Sendable {
  /// The effect of the line on the device.
  public enum Effect: String, Hashable, Sendable, Codable {
    /// The line takes effect.
    case effective
    /// The line has no effect, or only some of its parts do.
    case ineffective
    /// The effect depends on an unknown fact.
    case undetermined
  }

  /// The first match that does not hold.
  public struct Mismatch: Hashable, Sendable {
    /// The match, such as `ATTRS{idVendor}=="046d"`; it may not be safe to print.
    public let match: String
    /// The value that was found; `nil` if there is none.
    public let found: String?
    /// The path in sysfs of the device that comes closest to a match.
    public let device: String
    /// A Boolean value that indicates whether that device is a parent of the requested one.
    public let isParent: Bool
    /// The match, with a value that the device or a parent has; `nil` if no such value is known.
    public let matching: String?
  }

  /// The place of the line.
  public let place: UdevRulePlace
  /// The text of the line, with continued lines joined; it may not be safe to print.
  public let text: String
  /// The effect of the line on the device.
  public let effect: Effect
  /// The first match that does not hold.
  public let mismatch: Mismatch?
  /// A Boolean value that indicates whether some parts of an ineffective line take effect.
  public internal(set) var isPartial = false
  /// The reason why the line has no effect, with a fix if one is known.
  public internal(set) var finding: RuleFinding?
}
