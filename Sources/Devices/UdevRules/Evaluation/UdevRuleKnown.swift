/// A value, or the reason why it cannot be predicted.
public enum UdevRuleKnown<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  case value(Value)
  /// The reason why the value is unknown.
  case unknown(UdevRuleDoubt)

  /// The value; `nil` if it is unknown.
  public var known: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  /// The reason why the value is unknown; `nil` if it is known.
  public var doubt: UdevRuleDoubt? {
    guard case .unknown(let doubt) = self else { return nil }
    return doubt
  }

  /// Returns the value after a line that may or may not have replaced it with another one.
  func joined(_ other: UdevRuleKnown, _ doubt: UdevRuleDoubt) -> UdevRuleKnown {
    self == other ? self : .unknown(doubt)
  }
}
