/// Whose access a question is about.
public enum SubjectSelector: Hashable, Sendable {
  /// The calling thread.
  case ownProcess
  /// A new login of a user, named as in the user database or by number.
  ///
  /// A name of digits only is tried as a name first, then as a number, as in id(1).
  case user(String)
  /// A running process, or one of its threads, by its number.
  case process(Int32)
  /// A service of the system's manager as it would be started; `.service` may be left out.
  case unit(String)
}
