/// Why text could not be written.
public enum OutputError: Error, Hashable, Sendable {
  /// Nobody reads it any more (`EPIPE`): no reason to complain, and no reason to go on.
  case closed
  /// The system call failed, such as with `ENOSPC` on a full disk.
  case failed(errno: Int32)
}
