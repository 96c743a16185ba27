internal import Dispatch
internal import Synchronization

/// The number of changes that may wait in a store's queue, and what happens beyond it.
///
/// Changes wait while threads build, or effects send, faster than observers and adaptors take them.
/// If the queue is longer than the limit, a builder on another thread waits until there is room, in
/// the order of arrival. Memory is therefore bounded, and builders run at the speed of the slowest
/// observer.
///
/// No builder waits longer than ``patience``, because the observer may be waiting for that builder.
/// If observers take longer than that for one change, the queue grows past the limit, by at most
/// one change of each builder in that time. A build inside an observer or an adaptor of the same
/// store never waits. A build inside an observer of another store waits like any other, unless the
/// thread that delivers is itself waiting in a build, so no two threads wait for each other.
public struct Backlog: Sendable, Hashable {
  /// The number of changes that may wait before builders do.
  public var limit: Int
  /// The longest time that a builder waits.
  public var patience: Duration

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - limit: The number of changes that may wait before builders do.
  ///   - patience: The longest time that a builder waits.
  public init(limit: Int = 1_024, patience: Duration = .microseconds(500)) {
    self.limit = max(0, limit)
    self.patience = patience
  }

  /// Builders never wait, and the queue has no limit.
  public static let unlimited = Backlog(limit: .max)
}

/// A thread that waits in a build for room in the queue.
@usableFromInline final class WaitingBuilder: Sendable {
  /// How a wait ended.
  enum End: UInt8 {
    /// There is room.
    case room
    /// The thread delivers the queue from now on.
    case delivery
    /// The wait took too long.
    case timeout
  }

  private static let waiting: UInt8 = .max
  /// Dispatch cannot represent much longer times.
  private static let longest = Duration.seconds(86_400)

  /// The threads that wait in a build of any store.
  private static let threads = Mutex<Set<ThreadID>>([])

  let thread: ThreadID
  private let patience: Duration
  private let semaphore = DispatchSemaphore(value: 0)
  private let end = Atomic(waiting)

  /// Registers a thread as waiting, or returns `nil` if it must not wait.
  ///
  /// Called under the store's lock.
  ///
  /// The thread may be delivering another store's change, and `deliverer` may be waiting for that
  /// delivery. Since no thread waits for one that is waiting, no two wait for each other.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - deliverer: The thread that delivers the store's changes.
  ///   - patience: The longest time to wait.
  /// - Returns: The waiting thread.
  static func register(
    _ thread: ThreadID, for deliverer: ThreadID, patience: Duration
  ) -> WaitingBuilder? {
    let mayWait = threads.withLock { threads in
      !threads.contains(deliverer) && threads.insert(thread).inserted
    }
    return mayWait ? WaitingBuilder(thread, patience: patience) : nil
  }

  private init(_ thread: ThreadID, patience: Duration) {
    self.thread = thread
    self.patience = patience
  }

  deinit { finish(.timeout) }

  /// Ends the wait, unless it has ended.
  ///
  /// Called under the store's lock, or by the waiting thread when its time is over.
  ///
  /// - Returns: `true` if this call ended it. The caller must then call ``wake()`` outside the
  ///   lock.
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
  /// - Returns: `true` if the calling thread delivers the queue from now on.
  @usableFromInline func wait() -> Bool {
    let (seconds, attoseconds) = min(patience, Self.longest).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
    finish(.timeout)
    return end.load(ordering: .acquiring) == End.delivery.rawValue
  }
}
