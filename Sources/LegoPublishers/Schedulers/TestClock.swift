internal import Synchronization

/// A clock that stands still until it is told to go on.
///
/// Sleepers wake in the order of their deadlines. Before and after each step, the tasks that are
/// ready get time to run, so that a task that sleeps again is counted.
public final class TestClock: Clock, Sendable {
  /// A moment, counted from the clock's beginning.
  public typealias Instant = SchedulerTime

  private struct Sleeper: Sendable {
    let id: UInt64
    let deadline: Instant
    let wake: @Sendable (_ isCancelled: Bool) -> Void
  }

  private struct Waiter: Sendable {
    let id: UInt64
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State: Sendable {
    var now = Instant(nanoseconds: 0)
    var sleepers: [Sleeper] = []
    var lastID: UInt64 = 0
    /// The tickets given out to those who do not wait yet.
    var starting: Set<UInt64> = []
    var waiters: [Waiter] = []

    mutating func nextID() -> UInt64 {
      lastID += 1
      starting.insert(lastID)
      return lastID
    }

    mutating func takeWaiters() -> [CheckedContinuation<Void, Never>] {
      let count = sleepers.count
      let due = waiters.filter { $0.count <= count }.map(\.continuation)
      waiters.removeAll { $0.count <= count }
      return due
    }
  }

  private let state = Mutex(State())

  /// Creates a clock that shows its beginning.
  public init() {}

  /// What it shows.
  public var now: Instant { state.withLock { $0.now } }

  /// It can tell any two moments apart.
  public var minimumResolution: Duration { .zero }

  /// How many tasks and timers wait on it.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Waits until the clock is told to reach a moment.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let id = state.withLock { $0.nextID() }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation {
        (continuation: CheckedContinuation<Void, any Error>) in
        add(id, until: deadline) { isCancelled in
          isCancelled
            ? continuation.resume(throwing: CancellationError()) : continuation.resume()
        }
      }
    } onCancel: {
      cancel(id)
    }
  }

  /// Calls a closure when the clock is told to reach a moment.
  ///
  /// - Returns: What calls it off.
  public func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void)
    -> @Sendable () -> Void
  {
    let id = state.withLock { $0.nextID() }
    add(id, until: deadline) { isCancelled in if !isCancelled { body() } }
    return { self.cancel(id) }
  }

  /// Waits until at least so many tasks and timers wait on the clock.
  ///
  /// A test calls it before it advances, so that it depends on no timing. It returns early when the
  /// waiting task is cancelled, as by a time limit.
  public func waitForSleepers(_ count: Int = 1) async {
    let id = state.withLock { $0.nextID() }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.starting.remove(id) == nil || state.sleepers.count >= count { return true }
          state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      cancelWaiter(id)
    }
  }

  /// Goes on by some time, waking those whose deadline comes on the way, one after another.
  public func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Goes on to a moment, waking those whose deadline comes on the way, one after another.
  public func advance(to end: Instant) async {
    await runReadyTasks()
    while let sleeper = takeNext(until: end) {
      sleeper.wake(false)
      await runReadyTasks()
    }
    state.withLock { $0.now = max($0.now, end) }
    await runReadyTasks()
  }

  /// Goes on until nobody waits any more, or the task is cancelled.
  public func run() async {
    await runReadyTasks()
    while !Task.isCancelled, let last = state.withLock({ $0.sleepers.map(\.deadline).max() }) {
      await advance(to: last)
    }
  }

  private func takeNext(until end: Instant) -> Sleeper? {
    state.withLock { state in
      let due = state.sleepers.filter { $0.deadline <= end }
      guard
        let next = due.min(by: { ($0.deadline, $0.id) < ($1.deadline, $1.id) })
      else { return nil }
      state.sleepers.removeAll { $0.id == next.id }
      state.now = max(state.now, next.deadline)
      return next
    }
  }

  private func add(
    _ id: UInt64, until deadline: Instant, wake: @escaping @Sendable (Bool) -> Void
  ) {
    let (isCancelled, waiters) = state.withLock {
      state -> (Bool?, [CheckedContinuation<Void, Never>]) in
      if state.starting.remove(id) == nil { return (true, []) }
      if deadline <= state.now { return (false, []) }
      state.sleepers.append(Sleeper(id: id, deadline: deadline, wake: wake))
      return (nil, state.takeWaiters())
    }
    if let isCancelled { wake(isCancelled) }
    for waiter in waiters { waiter.resume() }
  }

  private func cancel(_ id: UInt64) {
    let sleeper: Sleeper? = state.withLock { state in
      // One who does not wait yet finds the ticket gone and never will.
      state.starting.remove(id)
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.wake(true)
  }

  private func cancelWaiter(_ id: UInt64) {
    let waiter: Waiter? = state.withLock { state in
      state.starting.remove(id)
      return state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
    }
    waiter?.continuation.resume()
  }

  /// Lets the tasks that are ready run.
  private func runReadyTasks() async {
    for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
  }
}

// As a scheduler, a test clock runs closures inside `advance`, in the order of their moments.
extension TestClock: Scheduler {
  /// A moment, counted from the clock's beginning.
  public typealias SchedulerTimeType = SchedulerTime

  /// None.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure now.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs a closure when the clock is told to reach a moment.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    _ = schedule(at: date, action)
  }
}
