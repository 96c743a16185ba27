public import AccessModel

/// Whether the process may have more threads.
public enum ThreadLimit {
  /// Starts a thread that ends at once.
  ///
  /// Limits of processes (`RLIMIT_NPROC`, the pids controller), of memory and of a system call
  /// filter keep a process from having another thread.
  ///
  /// - Returns: The error when that fails; `nil` when it could be started.
  public static func refusal() -> Errno? {
    do throws(Errno) {
      try DedicatedThread.run {}
      return nil
    } catch {
      return error
    }
  }
}
