public import AccessModel
internal import Dispatch

/// What a program needs that waits for events: more threads, and the kernel's means to wait.
///
/// Without them it would wait for ever, and its own time limit would not be seen either.
public enum WaitingNeeds {
  /// What is missing, and the error of the system call that it comes from.
  public struct Refusal: Hashable, Sendable {
    /// What cannot be done, as a clause: `no thread can be started`.
    public var words: String
    /// The error.
    public var error: Errno
  }

  /// How many threads are started beside those that run: the event loop, those of the pool, and one that
  /// looks on its own.
  private static let threadCount = 4

  /// What keeps the process from waiting; `nil` when nothing does.
  ///
  /// Limits of processes (`RLIMIT_NPROC`, the pids controller), of memory and of descriptors, and a filter
  /// of system calls. Threads are started at the same time, and end at once; descriptors are closed again.
  public static func refusal() -> Refusal? {
    do throws(Errno) {
      try startThreads()
    } catch {
      return Refusal(words: "no thread can be started", error: error)
    }
    do throws(Errno) {
      // libdispatch ends a program that has none left when a thread of its pool wants one.
      try DescriptorReserve.check(besides: DescriptorReserve.waiting)
      try EventPoll().tryOut()
      _ = try Alarm.descriptor()
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
