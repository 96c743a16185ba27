internal import Dispatch
internal import Synchronization

/// Runs a program's tasks on the thread that waits for them.
///
/// The concurrency runtime's own pool starts threads, which a program may not get: under a limit
/// of processes, or under a filter that refuses clone(2). Tasks with another executor, and sleeping
/// ones, still use that pool.
public final class ProgramExecutor: TaskExecutor {
  private let jobs = Mutex<[UnownedJob]>([])
  private let arrivals = DispatchSemaphore(value: 0)

  /// Creates an executor that runs nothing until ``run(_:)`` is called.
  public init() {}

  /// Queues a job for the thread that waits in ``run(_:)``.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    arrivals.signal()
  }

  /// Runs an operation, and every task that prefers this executor, on the calling thread.
  ///
  /// - Parameter operation: What to run.
  /// - Returns: What the operation returned; tasks that it left behind stay as they are.
  public func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Value {
    let result = Box<Value>()
    Task(executorPreference: self) {
      let value = await operation()
      result.value.withLock { $0 = value }
    }
    while true {
      arrivals.wait()
      if let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
      if let value = result.value.withLock({ $0 }) { return value }
    }
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
