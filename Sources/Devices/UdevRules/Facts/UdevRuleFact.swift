/// The result of an observation.
public enum UdevRuleFact<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The fact exists and has this value.
  case present(Value)
  /// The fact does not exist, or cannot be read.
  case absent

  /// The value; `nil` if the fact is absent.
  package var value: Value? {
    guard case .present(let value) = self else { return nil }
    return value
  }
}
