/// The outcome of a request or of one of its steps.
public enum Outcome: Hashable, Sendable {
  /// Every layer in the case allows the access; the driver can still return an error.
  case granted
  /// The access is denied, and the system call fails with this error.
  case denied(errno: Errno)
  /// The facts are not sufficient; the reason names the missing fact as one clause.
  case undecided(reason: String)
}
