/// A fact that was looked for.
public enum UdevRuleFact<Value: Hashable & Sendable>: Hashable, Sendable {
  /// There is one.
  case present(Value)
  /// There is none, or it cannot be read.
  case absent

  /// The value, if there is one.
  var value: Value? {
    guard case .present(let value) = self else { return nil }
    return value
  }
}
