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

  let patience: Duration
  private let semaphore = DispatchSemaphore(value: 0)
  private let end = Atomic(waiting)

  init(patience: Duration) {
    self.patience = patience
  }

  /// Ends the wait, unless it has ended; under the store's lock.
  ///
  /// - Returns: Whether this ended it. Then ``wake()`` has to follow, outside the lock.
  func finish(_ end: End) -> Bool {
    self.end.compareExchange(
      expected: Self.waiting, desired: end.rawValue, ordering: .acquiringAndReleasing
    ).exchanged
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
    _ = finish(.impatience)
    return end.load(ordering: .acquiring) == End.turn.rawValue
  }
}
