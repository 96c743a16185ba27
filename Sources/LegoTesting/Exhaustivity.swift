/// How much of what happens a test has to account for.
public enum Exhaustivity: Sendable, Hashable {
  /// Every difference of designs, every change of an effect and every effect.
  case full
  /// What the test asserts, and nothing else.
  case none
}
