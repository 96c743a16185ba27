internal import Dispatch
internal import Glibc
internal import Synchronization

/// Runs blocking work on a limited number of separate threads.
///
/// Swift's tasks have only as many threads as there are processors, and must not block them while
/// another program answers.
final class BlockingThreads: Sendable {
  /// A unit of work.
  struct Work: Sendable {
    /// Runs on a thread.
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

  /// - Parameter limit: The maximum number of threads. Further work waits for one of them.
  init(limit: Int = 8) {
    self.limit = limit
  }

  /// Runs work on a thread, as soon as one is free.
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

  /// Returns the work that no thread will run, after creating a thread has failed.
  private func takeWorkWithoutThread() -> [Work] {
    state.withLock { state in
      state.running -= 1
      // A running thread will take all waiting work.
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

  /// The next work; `nil` if the thread must end.
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

/// The body of a thread, in an object that C can hold.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}

/// A call that runs on a thread, and ends once: with its answer, at its timeout or by cancellation.
final class BlockingCall<Answer: Sendable>: Sendable {
  typealias Outcome = Result<Answer, SecretFailure>
  typealias Waiter = CheckedContinuation<Outcome, Never>

  private struct State {
    var waiter: Waiter?
    var outcome: Outcome?
  }

  private let stop: @Sendable () -> Void
  private let state = Mutex(State())

  /// - Parameter stop: Makes the work end early. It may be called from any thread, and also after
  ///   the work has ended.
  init(stop: @escaping @Sendable () -> Void) {
    self.stop = stop
  }

  /// A Boolean value that indicates whether the call has ended, so that its answer is no longer
  /// needed.
  var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Waits, unless the call has ended.
  ///
  /// - Returns: `true` if the waiter was added and the caller must wait.
  func wait(_ waiter: Waiter) -> Bool {
    let outcome = state.withLock { state in
      if state.outcome == nil { state.waiter = waiter }
      return state.outcome
    }
    if let outcome { waiter.resume(returning: outcome) }
    return outcome == nil
  }

  /// Ends the call.
  ///
  /// A second end is ignored.
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
  /// Runs work on a thread, and waits for its answer until a timeout or until the task is
  /// cancelled.
  ///
  /// - Parameters:
  ///   - time: The timeout, including the wait for a thread; `nil` for no timeout.
  ///   - stop: Makes the work end early. It may be called from any thread, and also after the work
  ///     has ended.
  ///   - work: The work.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work, ``SecretCode/timedOut`` or ``SecretCode/cancelled``.
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

  /// Uses a timer of Dispatch, because a sleeping task needs one of the few threads of tasks to
  /// wake up.
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
