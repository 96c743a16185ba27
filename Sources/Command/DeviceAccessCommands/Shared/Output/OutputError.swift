public import AccessModel

/// The reason why text cannot be written.
public enum OutputError: Error, Hashable, Sendable {
  /// The reader has closed the pipe (`EPIPE`), so the program can stop without an error.
  case closed
  /// A system call failed, for example with `ENOSPC` on a full disk.
  case failed(Errno)
}
