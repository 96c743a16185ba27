/// Which grants are taken back.
public enum GrantSelection: Hashable, Sendable {
  /// The one with an identifier.
  case id(String)
  /// All on one object, or those to one user, by name or number; a relative path starts at the
  /// working directory.
  case path(String, user: String?)
  /// All on devices of a kind, or those to one user.
  case kind(String, user: String?)
  /// Those whose time is over and that nothing has ended, such as while the system was off; the others
  /// get the timers that they have lost.
  case overdue
}
