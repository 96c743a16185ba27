/// A selection of grants to revoke.
public enum GrantSelection: Hashable, Sendable {
  /// The grant with the given identifier.
  case id(String)
  /// All grants on the object at a path, or only those to the given user.
  ///
  /// The user is a name or a number. A relative path is relative to the working directory.
  case path(String, user: String?)
  /// All grants on objects of a kind, or only those to the given user.
  case kind(String, user: String?)
  /// The grants that have expired without being ended, for example because the system was off.
  ///
  /// Revoking them also starts the missing timers of the other grants.
  case overdue
}
