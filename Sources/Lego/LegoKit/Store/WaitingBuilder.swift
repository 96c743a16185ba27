internal import Dispatch
internal import Synchronization

/// A limit on the number of changes in a store's queue, and the time that builders wait when it is
/// exceeded.
///
/// The queue grows while threads build, or effects send, faster than the observers and adaptors
/// process the changes. If another thread is delivering, a build that makes the queue longer than
/// ``limit`` applies its change, and then blocks its thread until the queue has room again or
/// ``patience`` has passed. Builders are served in order of arrival.
///
/// The limit slows down builders, but it is not strict. If the observers take longer than
/// ``patience`` for each change, the queue grows beyond the limit, by at most one change per
/// building thread in that time. The wait is bounded because an observer may itself be waiting for
/// the builder.
///
/// Some builds never wait, and may add any number of changes:
///
/// - a build made inside an observer or adaptor of the same store
/// - a build made while the delivering thread is itself waiting in a build of another store,
///   because the two threads might otherwise wait for each other
public struct Backlog: Sendable, Hashable {
  /// The number of changes that the queue may contain before builders must wait.
  public var limit: Int
  /// The maximum time that a builder waits.
  public var patience: Duration

  /// Creates a backlog.
  ///
  /// - Parameters:
  ///   - limit: The number of changes that the queue may contain before builders must wait. A
  ///     negative number is treated as 0.
  ///   - patience: The maximum time that a builder waits.
  public init(limit: Int = 1_024, patience: Duration = .microseconds(500)) {
    self.limit = max(0, limit)
    self.patience = patience
  }

  /// A backlog without a limit, in which builders never wait.
  public static let unlimited = Backlog(limit: .max)
}

/// A builder that waits for room in the queue.
@usableFromInline final class WaitingBuilder: Sendable {
  /// The reason why a wait ended.
  enum End: UInt8 {
    /// The queue has room.
    case room
    /// A session was started on the thread, which must now deliver the queue.
    case delivery
    /// The maximum waiting time has passed.
    case timeout
  }

  private static let waiting: UInt8 = .max
  /// The upper bound on the patience, because Dispatch cannot represent much longer times.
  private static let longest = Duration.seconds(86_400)

  /// The threads that are waiting in a build of any store.
  private static let threads = Mutex<Set<ThreadID>>([])

  let thread: ThreadID
  private let patience: Duration
  private let semaphore = DispatchSemaphore(value: 0)
  private let end = Atomic(waiting)

  /// Registers a thread as waiting, unless the thread that it would wait for is itself waiting.
  ///
  /// The thread may be delivering the queue of another store, and `deliverer` may be waiting for
  /// room in that queue. Without this rule, the two would wait for each other.
  ///
  /// The method is called under the store's lock.
  ///
  /// - Parameters:
  ///   - thread: The thread.
  ///   - deliverer: The thread that delivers the store's queue.
  ///   - patience: The maximum waiting time.
  /// - Returns: The waiting builder, or `nil` if the thread must not wait.
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

  /// Ends the wait, unless it has already ended.
  ///
  /// It is called under the store's lock, or by the waiting thread after its wait.
  ///
  /// - Returns: `true` if this call ended the wait. If the caller is another thread, it must then
  ///   call ``wake()`` outside the lock.
  @discardableResult
  func finish(_ end: End) -> Bool {
    let isFirst = self.end.compareExchange(
      expected: Self.waiting, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
    if isFirst { Self.threads.withLock { _ = $0.remove(thread) } }
    return isFirst
  }

  /// Wakes the waiting thread.
  @usableFromInline func wake() { semaphore.signal() }

  /// Blocks the calling thread until another thread ends the wait or the maximum waiting time has
  /// passed.
  ///
  /// - Returns: `true` if the calling thread must now deliver the queue.
  @usableFromInline func wait() -> Bool {
    let (seconds, attoseconds) = min(patience, Self.longest).components
    let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
    _ = semaphore.wait(timeout: .now() + .nanoseconds(max(0, nanoseconds)))
    finish(.timeout)
    return end.load(ordering: .acquiring) == End.delivery.rawValue
  }
}
