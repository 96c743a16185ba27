/// How far the check of a field has come.
public enum FieldCheck: Equatable, Sendable, Codable {
  /// Nobody has entered anything or left the field yet.
  case unchecked
  /// An answer is still to come.
  case checking
  /// Nothing is wrong.
  case valid
  /// Something is wrong: ``FormField/issue`` says what.
  case invalid
}
