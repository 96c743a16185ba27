/// How a question, or one step of it, came out.
public enum Outcome: Hashable, Sendable {
  /// Every layer that the case holds allows it; what comes after is the driver's.
  case granted
  /// Refused, with the error number that the system call gives.
  case denied(errno: Errno)
  /// The facts do not suffice; the reason names what is missing, as one clause.
  case undecided(reason: String)
}
