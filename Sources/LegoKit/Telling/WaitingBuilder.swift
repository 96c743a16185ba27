internal import Dispatch
internal import Synchronization

/// A thread that has built and waits, because too many changes wait to be told.
@usableFromInline final class WaitingBuilder: Sendable {
  /// How the wait has ended.
  enum End: UInt8 {
    /// There is room again.
    case room
    /// The turn is this thread's now.
    case turn
    /// It took too long.
    case impatience
  }

  private static let waiting: UInt8 = .max
  /// More would not fit into Dispatch's time.
  private static let longest = Duration.seconds(86_400)

  /// The threads that wait in a build, whatever the store.
  private static let threads = Mutex<Set<ThreadID>>([])

  private let thread: ThreadID
  let patience: Duration
  private let semaphore = DispatchSemaphore(value: 0)
  private let end = Atomic(waiting)

  /// Makes a thread one that waits, or `nil` where it must not wait; under the store's lock.
  ///
  /// It may be telling another store's change, and so be the one that the teller waits for. No two
  /// wait for each other, because nobody waits for a teller that waits.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - teller: The thread that tells the store's changes.
  ///   - patience: How long to wait at most.
  init?(_ thread: ThreadID, for teller: ThreadID, patience: Duration) {
    let mayWait = Self.threads.withLock { threads in
      !threads.contains(teller) && threads.insert(thread).inserted
    }
    guard mayWait else { return nil }
    self.thread = thread
    self.patience = patience
  }

  deinit { finish(.impatience) }

  /// Ends the wait, unless it has ended; under the store's lock.
  ///
  /// - Returns: Whether this ended it. Then ``wake()`` has to follow, outside the lock.
  @discardableResult
  func finish(_ end: End) -> Bool {
    let isFirst = self.end.compareExchange(
      expected: Self.waiting, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst { Self.threads.withLock { _ = $0.remove(thread) } }
    return isFirst
  }

  /// Wakes the thread.
  @usableFromInline func wake() { semaphore.signal() }

  /// Waits.
  ///
  /// - Returns: Whether the turn is the caller's now.
  @usableFromInline func wait() -> Bool {
    let (seconds, attoseconds) = min(patience, Self.longest).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
    finish(.impatience)
    return end.load(ordering: .acquiring) == End.turn.rawValue
  }
}
