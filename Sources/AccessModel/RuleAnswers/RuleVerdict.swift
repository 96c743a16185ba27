/// What became of one line of a file that was asked about.
public struct RuleVerdict: Hashable, Sendable {
  /// Whether the line does to the device what it says.
  public enum Effect: String, Hashable, Sendable, Codable {
    /// It does.
    case effective
    /// It does not.
    case ineffective
    /// That depends on what is not known.
    case undetermined
  }

  /// The first match that does not hold.
  public struct Mismatch: Hashable, Sendable {
    /// The match, such as `ATTRS{idVendor}=="046d"`; it need not be fit to print.
    public let match: String
    /// The value that was found; `nil` when there is none.
    public let found: String?
    /// The path in sysfs of the device that came nearest.
    public let device: String
    /// Whether that is a parent of the device.
    public let isParent: Bool
    /// The match with a value that the device, or a parent, has.
    public let matching: String?
  }

  /// The line.
  public let place: UdevRulePlace
  /// Its text, with continued lines joined; it need not be fit to print.
  public let text: String
  /// Whether it takes effect.
  public let effect: Effect
  /// The first match that does not hold.
  public let mismatch: Mismatch?
  /// Whether some of what it sets takes effect all the same.
  public internal(set) var isPartial = false
  /// Why it has no effect, and what mends that.
  public internal(set) var finding: RuleFinding?
}
