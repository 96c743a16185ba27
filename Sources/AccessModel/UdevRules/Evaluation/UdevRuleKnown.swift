/// A value, or why it cannot be predicted.
public enum UdevRuleKnown<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  case value(Value)
  /// Why there is no telling.
  case unknown(UdevRuleDoubt)

  /// The value, if it is known.
  public var known: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }

  /// Why it is not known.
  public var doubt: UdevRuleDoubt? {
    guard case .unknown(let doubt) = self else { return nil }
    return doubt
  }

  /// The value after a line that may or may not have set another one.
  func joined(_ other: UdevRuleKnown, _ doubt: UdevRuleDoubt) -> UdevRuleKnown {
    self == other ? self : .unknown(doubt)
  }
}
