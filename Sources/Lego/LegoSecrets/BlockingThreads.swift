internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs blocking work on a limited number of dedicated threads.
///
/// Swift runs its tasks on only as many threads as there are processors, so a task must not block
/// its thread while it waits for another program.
final class BlockingThreads: Sendable {
  /// A unit of work.
  struct Work: Sendable {
    /// Performs the work on one of the threads.
    let run: @Sendable () -> Void
    /// Called instead of `run` if no thread can be created.
    let fail: @Sendable (SecretFailure) -> Void
  }

  private struct State {
    var running = 0
    var waiting: [Work] = []
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates an instance that starts threads as needed.
  ///
  /// - Parameter limit: The maximum number of threads. Further work waits until a thread is free.
  init(limit: Int = 8) {
    self.limit = limit
  }

  /// Runs work as soon as a thread is free.
  ///
  /// If no thread is running and none can be created, the work fails.
  func run(_ work: Work) {
    let startsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.running < limit else { return false }
      state.running += 1
      return true
    }
    let failure = startsThread ? start() : 0
    guard failure != 0 else { return }
    let problem = SecretFailure(
      .failed, "cannot be called: no thread can be created", errno: failure)
    for work in takeWorkWithoutThread() { work.fail(problem) }
  }

  /// Removes and returns all waiting work if no thread is left to run it.
  ///
  /// Call this method after a thread could not be created.
  private func takeWorkWithoutThread() -> [Work] {
    state.withLock { state in
      state.running -= 1
      // The threads that are still running take all waiting work.
      guard state.running == 0 else { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
  }

  private func start() -> Int32 {
    let body = ThreadBody { [self] in
      while let work = next() { work.run() }
    }
    let context = unsafe Unmanaged.passRetained(body)
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, nil,
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context.toOpaque())
    if failure == 0 { pthread_detach(thread) } else { unsafe context.release() }
    return failure
  }

  /// Returns the next unit of work, or `nil` if the thread must end.
  private func next() -> Work? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.running -= 1
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}

/// The body of a thread, as an object that can be passed through a C pointer.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

/// A call that ends exactly once: when it returns a result, times out, or is cancelled.
final class BlockingCall<Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, SecretFailure>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private struct State {
    var waiter: Waiter?
    var outcome: Outcome?
  }

  private let stop: @Sendable () -> Void
  private let state = Mutex(State())

  /// Creates a call.
  ///
  /// - Parameter stop: Makes the work end early. It may be called on any thread, even after the
  ///   work has ended.
  init(stop: @escaping @Sendable () -> Void) {
    self.stop = stop
  }

  /// A Boolean value that indicates whether the call has ended.
  var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Stores the continuation to resume when the call ends.
  ///
  /// If the call has already ended, the continuation is resumed immediately.
  ///
  /// - Returns: `true` if the continuation has been stored; otherwise, `false`.
  func wait(_ waiter: Waiter) -> Bool {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiter = waiter }
      return state.outcome
    }
    if let outcome { waiter.resume(returning: outcome) }
    return outcome == nil
  }

  /// Ends the call, unless it has already ended.
  ///
  /// - Parameters:
  ///   - outcome: The outcome of the call.
  ///   - isEarly: Pass `true` to stop the work, which may still be running.
  func end(_ outcome: Outcome, early isEarly: Bool = false) {
    let (isFirst, waiter) = state.withLock { state -> (Bool, Waiter?) in
      guard state.outcome == nil else { return (false, nil) }
      state.outcome = outcome
      defer { state.waiter = nil }
      return (true, state.waiter)
    }
    guard isFirst else { return }
    waiter?.resume(returning: outcome)
    if isEarly { stop() }
  }
}

extension BlockingThreads {
  /// Runs work on a thread, and returns its result unless the call times out or is cancelled first.
  ///
  /// - Parameters:
  ///   - time: The timeout, including the wait for a thread, or `nil` for no timeout.
  ///   - stop: Makes the work end early. It may be called on any thread, even after the work has
  ///     ended.
  ///   - work: The work to run.
  /// - Returns: The result of the work.
  /// - Throws: The error that the work throws, or an error with the code ``SecretCode/timedOut``,
  ///   ``SecretCode/cancelled`` or, if no thread can be created, ``SecretCode/failed``.
  func answer<Answer: Sendable>(
    within time: Duration? = nil, stop: @escaping @Sendable () -> Void = {},
    _ work: @escaping @Sendable () throws(SecretFailure) -> Answer
  ) async throws(SecretFailure) -> Answer {
    let call = BlockingCall<Answer>(stop: stop)
    let outcome = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        guard call.wait(waiter) else { return }
        begin(call, work)
        if let time { end(call, after: time) }
      }
    } onCancel: {
      call.end(.failure(SecretFailure(.cancelled, "the task was cancelled")), early: true)
    }
    return try outcome.get()
  }

  private func begin<Answer: Sendable>(
    _ call: BlockingCall<Answer>, _ work: @escaping @Sendable () throws(SecretFailure) -> Answer
  ) {
    run(
      BlockingThreads.Work {
        // The call may have timed out or been cancelled while it waited for a thread.
        if call.hasEnded { return }
        do throws(SecretFailure) { call.end(.success(try work())) } catch {
          call.end(.failure(error))
        }
      } fail: {
        call.end(.failure($0))
      })
  }

  /// Ends a call after a timeout.
  ///
  /// This method uses a Dispatch timer, because a sleeping task wakes up only when one of the few
  /// threads for tasks is free.
  private func end<Answer: Sendable>(_ call: BlockingCall<Answer>, after time: Duration) {
    let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
    let milliseconds = Int(min(max(seconds, 0), 1e9) * 1_000)
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
      [weak call] in
      call?.end(
        .failure(SecretFailure(.timedOut, "did not answer within \(time)")), early: true)
    }
  }
}
