/// The answer to a question in one word.
///
/// It is derived once, where an object is assessed. The library, the store, the command, its JSON and its
/// exit status show this value and never work it out again.
public enum Answer: String, Hashable, Sendable, Codable, CaseIterable {
  /// All that was asked for is granted.
  case allowed
  /// Something of it is refused.
  case refused
  /// The facts do not suffice, or contradict each other.
  case undetermined
  /// The device or path does not exist, or the object there is not such a device.
  case absent
}

extension Answer {
  /// The only place where a verdict becomes an answer.
  init(_ verdict: Assessment.Verdict) {
    switch verdict {
    case .granted: self = .allowed
    case .refused: self = .refused
    case .undecided: self = .undetermined
    case .absent: self = .absent
    }
  }
}
