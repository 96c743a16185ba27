/// The subject whose access a question is about.
public enum SubjectSelector: Hashable, Sendable {
  /// The calling thread.
  case ownProcess
  /// A new login of a user, given by name or ID.
  ///
  /// As in id(1), text that consists of digits is tried as a name first, then as an ID.
  case user(String)
  /// A running process or one of its threads, given by its ID.
  case process(Int32)
  /// A service of the system's service manager, given by name.
  ///
  /// The suffix `.service` is optional.
  case unit(String)
}
