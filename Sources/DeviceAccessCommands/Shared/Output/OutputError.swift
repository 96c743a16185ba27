public import AccessModel

/// Why text could not be written.
public enum OutputError: Error, Hashable, Sendable {
  /// Nobody reads it any more (`EPIPE`): nothing to report, and no reason to go on.
  case closed
  /// The system call failed, such as with `ENOSPC` on a full disk.
  case failed(Errno)
}
