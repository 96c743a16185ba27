/// Whose access a question is about.
public enum SubjectSelector: Hashable, Sendable {
  /// The calling thread.
  case ownProcess
  /// A new login of a user, named as in the user database or by number.
  ///
  /// Digits alone are a name first and then a number, as id(1) reads them.
  case user(String)
  /// A running process, or one of its threads, by its number.
  case process(Int32)
  /// A service of the system's manager as it would be started; `.service` may be left out.
  case unit(String)
}
