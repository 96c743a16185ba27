internal import Synchronization

/// A clock whose time changes only when a test advances it.
///
/// Sleepers wake in order of their deadlines. Before and after each step, the clock lets other
/// tasks run, so that tasks that sleep again are taken into account.
public final class TestClock: Clock, Sendable {
  /// A point in time, relative to the origin of the clock.
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
    /// The identifiers of sleepers and waiters that have not started to wait yet.
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

  /// Creates a clock that starts at its origin.
  public init() {}

  /// The current time of this clock.
  public var now: Instant { state.withLock { $0.now } }

  /// The minimum resolution, which is zero.
  public var minimumResolution: Duration { .zero }

  /// The number of tasks and timers that are waiting on the clock.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Suspends the calling task until the clock reaches the given time.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
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

  /// Calls a closure when the clock reaches the given time, or immediately if it already has.
  ///
  /// - Returns: A closure that cancels the call.
  public func schedule(at deadline: Instant, _ body: @escaping @Sendable () -> Void)
    -> @Sendable () -> Void
  {
    let id = state.withLock { $0.nextID() }
    add(id, until: deadline) { isCancelled in if !isCancelled { body() } }
    return { self.cancel(id) }
  }

  /// Waits until at least the given number of tasks and timers are waiting on the clock.
  ///
  /// Call this method before you advance the clock, so that the test does not depend on timing. If
  /// the calling task is cancelled, for example by a time limit, the method returns early.
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

  /// Advances the clock by the given duration, and wakes sleepers as it reaches their deadlines.
  public func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Advances the clock to the given time, and wakes sleepers as it reaches their deadlines.
  ///
  /// If that time has already passed, the clock's time does not change.
  public func advance(to end: Instant) async {
    await runReadyTasks()
    while let sleeper = takeNext(until: end) {
      sleeper.wake(false)
      await runReadyTasks()
    }
    state.withLock { $0.now = max($0.now, end) }
    await runReadyTasks()
  }

  /// Advances the clock until there are no sleepers, or until the calling task is cancelled.
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
      // If the sleeper has not started to wait yet, removing its identifier prevents it from
      // waiting.
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

  /// Gives other tasks an opportunity to run.
  private func runReadyTasks() async {
    for _ in 0..<20 { await Task.detached(priority: .background) { await Task.yield() }.value }
  }
}

// As a scheduler, a test clock runs closures immediately if they are due, and otherwise inside
// `advance`, in the order of their scheduled times.
extension TestClock: Scheduler {
  /// A point in time, relative to the origin of the clock.
  public typealias SchedulerTimeType = SchedulerTime

  /// The minimum tolerance, which is zero.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure immediately.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs a closure when the clock reaches the given time, or immediately if it already has.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    _ = schedule(at: date, action)
  }
}
