public import AccessModel
internal import Dispatch

/// The resources that a program needs to wait for events: threads and kernel objects.
///
/// Without them, the program would wait forever and miss its own time limit.
public enum WaitingNeeds {
  /// The resource that is missing, and the error of the system call that failed.
  public struct Refusal: Hashable, Sendable {
    /// The action that failed, as a clause such as `no thread can be started`.
    public var words: String
    /// The error.
    public var error: Errno
  }

  /// The number of threads to check for: the event loop, the threads of the pool, and a scanner
  /// thread.
  private static let threadCount = 4

  /// Returns the reason why the process cannot wait, or `nil` if it can.
  ///
  /// The cause may be a limit on processes (`RLIMIT_NPROC` or the pids controller), a lack of
  /// memory or descriptors, or a seccomp filter. The check starts all threads at the same time and
  /// ends them immediately. It also closes the descriptors that it opens.
  public static func refusal() -> Refusal? {
    do throws(Errno) {
      try startThreads()
    } catch {
      return Refusal(words: "no thread can be started", error: error)
    }
    do throws(Errno) {
      // libdispatch terminates a program that runs out of descriptors when a pool thread needs one.
      try DescriptorReserve.check(besides: DescriptorReserve.waiting)
      try EventPoll().tryOut()
      _ = try RestartableTimer.descriptor()
      return nil
    } catch {
      return Refusal(words: "events cannot be received", error: error)
    }
  }

  private static func startThreads() throws(Errno) {
    let gate = DispatchSemaphore(value: 0)
    defer { for _ in 0..<threadCount { gate.signal() } }
    for _ in 0..<threadCount { try DedicatedThread.run { gate.wait() } }
  }
}
