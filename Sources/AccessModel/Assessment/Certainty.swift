/// How far an answer can be relied on.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The kernel itself gave this answer.
  case proven
  /// The model gives it, and layers that cannot be observed could still refuse.
  case predicted
  /// The facts do not suffice. Never read as granted, and never as denied.
  case undecided
}
