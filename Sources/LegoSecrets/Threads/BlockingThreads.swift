internal import Glibc
internal import Synchronization

/// Runs work that may block on threads of its own, a few at a time.
///
/// The threads of Swift's tasks are as few as the processors, and must not wait for another program.
final class BlockingThreads: Sendable {
  /// What runs.
  struct Work: Sendable {
    /// Runs on a thread.
    let run: @Sendable () -> Void
    /// Called instead when the system makes no thread.
    let refuse: @Sendable (SecretProblem) -> Void
  }

  private struct State {
    var running = 0
    var waiting: [Work] = []
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: How many threads may run at once; more work waits for one of them.
  init(limit: Int = 8) {
    self.limit = limit
  }

  /// Runs work on a thread, now or when one is free.
  func run(_ work: Work) {
    let startsThread = state.withLock { state in
      state.waiting.append(work)
      guard state.running < limit else { return false }
      state.running += 1
      return true
    }
    let failure = startsThread ? start() : 0
    guard failure != 0 else { return }
    let problem = SecretProblem(.failed, "cannot be asked: no thread can be made", errno: failure)
    for work in withoutThread() { work.refuse(problem) }
  }

  /// What nobody will run, since a thread could not be made.
  private func withoutThread() -> [Work] {
    state.withLock { state in
      state.running -= 1
      // A thread that runs takes all that waits.
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

  /// The next work, or `nil` when the thread is to end.
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

/// What a thread runs, in an object that C can hold.
private final class ThreadBody: Sendable {
  let run: @Sendable () -> Void

  init(_ run: @escaping @Sendable () -> Void) {
    self.run = run
  }
}
