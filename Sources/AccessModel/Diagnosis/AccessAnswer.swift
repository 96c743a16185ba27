/// The answer in one word, as a script wants it.
public enum AccessAnswer: String, Hashable, Sendable, Codable, CaseIterable {
  /// All that was asked for is granted.
  case allowed
  /// Something of it is refused.
  case refused
  /// The facts do not suffice, or contradict each other.
  case undetermined
  /// There is no such device or path, or it is no device.
  case absent
}
