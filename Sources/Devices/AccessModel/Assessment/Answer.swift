/// The answer to a question in a single word.
///
/// The answer is derived once, when an object is assessed. The library, the store, the command, its
/// JSON output and its exit status use this value and do not derive it again.
public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
  /// All requested permissions are granted.
  case allowed
  /// The requested permissions are refused, at least in part.
  case refused
  /// The facts are insufficient or contradictory.
  case undetermined
  /// The device or path does not exist, or the object at the path is not such a device.
  case absent
}

extension Answer {
  /// Creates an answer from a verdict; no other code converts between the two.
  init(_ verdict: Assessment.Verdict) {
    switch verdict {
    case .granted: self = .allowed
    case .refused: self = .refused
    case .undecided: self = .undetermined
    case .absent: self = .absent
    }
  }
}
