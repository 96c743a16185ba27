/// The certainty of an answer.
public enum Certainty: String, Hashable, Sendable, Codable, CaseIterable {
  /// The kernel gave this answer, in its own check or in an actual open.
  case proven
  /// The model gives this answer, but the kernel was not asked, or a layer with an unreadable
  /// verdict is active.
  case predicted
  /// The facts are not sufficient.
  ///
  /// Never treat this as granted or as denied.
  case undecided
}
