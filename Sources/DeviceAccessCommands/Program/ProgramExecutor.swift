internal import Dispatch
internal import LinuxDevices
internal import Synchronization

/// Runs a program's tasks on the thread that waits for them, and for the events of its watchers.
///
/// The concurrency runtime's own pool starts threads, which a program may not get: under a limit
/// of processes, or under a filter that refuses clone(2). Tasks with another executor, and sleeping
/// ones, still use that pool.
public final class ProgramExecutor: TaskExecutor {
  /// What the thread does while there is no job.
  private enum Rest {
    case none
    /// It waits for a job.
    case idle
    /// It waits for events, too.
    case watching
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var rest = Rest.none
    /// Whether there are events to wait for since the thread last found out.
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

  /// Changes the state, and has the thread look at it.
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
  /// - Parameter operation: What to run.
  /// - Returns: What the operation returned; tasks that it left behind stay as they are.
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

  /// Takes a job; without one waits, once.
  private func nextJob(_ events: EventHost, _ room: inout EventHost.Room) -> UnownedJob? {
    let isWatching = events.isNeeded
    let (job, rest) = state.withLock { state -> (UnownedJob?, Rest) in
      guard state.jobs.isEmpty else { return (state.jobs.removeFirst(), .none) }
      // They came after the thread found none.
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
