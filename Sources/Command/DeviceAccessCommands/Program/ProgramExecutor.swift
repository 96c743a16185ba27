internal import Dispatch
internal import LinuxDevices
internal import Synchronization

/// An executor that runs a program's tasks on one thread, which also waits for the events of
/// watchers.
///
/// The concurrency runtime's own pool needs threads, which a limit on processes or a filter for
/// clone(2) can deny. Tasks with another executor, and sleeping tasks, still use that pool.
public final class ProgramExecutor: TaskExecutor {
  /// The state of the thread while no job is queued.
  private enum Rest {
    case none
    /// The thread waits for a job.
    case idle
    /// The thread waits for a job or an event.
    case watching
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var rest = Rest.none
    /// A Boolean value that indicates whether events became relevant since the thread last checked.
    var hasEvents = false
  }

  private let state = Mutex(State())
  private let arrivals = DispatchSemaphore(value: 0)
  private let host = Mutex<EventHost?>(nil)

  /// Creates an executor that runs nothing until ``run(_:)`` is called.
  public init() {}

  /// Queues a job for the thread that waits in ``run(_:)``.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    wake { $0.jobs.append(job) }
  }

  /// Changes the state, and wakes the thread if it is waiting.
  private func wake(_ change: (inout State) -> Void) {
    let rest = state.withLock { state in
      change(&state)
      defer { state.rest = .none }
      return state.rest
    }
    switch rest {
    case .none: break
    case .idle: arrivals.signal()
    case .watching: host.withLock { $0 }?.wake()
    }
  }

  /// Runs an operation, and every task that prefers this executor, on the calling thread.
  ///
  /// Tasks that are unfinished when the operation returns do not run any further.
  ///
  /// - Parameter operation: The operation to run.
  /// - Returns: The value that the operation returns.
  public func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Value {
    let result = Box<Value>()
    let events = EventHost { [weak self] in self?.wake { $0.hasEvents = true } }
    host.withLock { $0 = events }
    defer { host.withLock { $0 = nil } }
    Task(executorPreference: self) {
      let value = await operation()
      result.value.withLock { $0 = value }
    }
    var room = EventHost.Room()
    while true {
      if let job = nextJob(events, &room) {
        unsafe job.runSynchronously(on: asUnownedTaskExecutor())
      }
      if let value = result.value.withLock({ $0 }) { return value }
    }
  }

  /// Returns the next job; if there is none, waits once and returns `nil`.
  private func nextJob(_ events: EventHost, _ room: inout EventHost.Room) -> UnownedJob? {
    let isWatching = events.isNeeded
    let (job, rest) = state.withLock { state -> (UnownedJob?, Rest) in
      guard state.jobs.isEmpty else { return (state.jobs.removeFirst(), .none) }
      // The need for events arose after the check above.
      guard isWatching || !state.hasEvents else {
        state.hasEvents = false
        return (nil, .none)
      }
      state.rest = isWatching ? .watching : .idle
      return (nil, state.rest)
    }
    switch rest {
    case .none: break
    case .idle: arrivals.wait()
    case .watching:
      events.wait(&room) { state.withLock { $0.rest = .none } }
    }
    return job
  }

  private final class Box<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
  }
}
