/// How far an answer can be relied on.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The kernel gave this answer: its own check, or the open that was tried.
  case proven
  /// The model gives it, and the kernel was not asked, or a layer whose verdict cannot be read is active.
  case predicted
  /// The facts do not suffice. Never read as granted, and never as denied.
  case undecided
}
