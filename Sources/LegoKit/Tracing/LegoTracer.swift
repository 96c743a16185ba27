/// An event in a store's work, as it happens.
public enum LegoEvent: Sendable, Hashable {
  /// A change was applied.
  ///
  /// - Parameters:
  ///   - number: The change's number in its store, starting at 1.
  ///   - root: The number of the build that caused it, which is its own for a build.
  ///   - change: The change as text.
  case applied(number: UInt64, root: UInt64, change: String)
  /// Everyone was told of a change, and the adaptors have answered it.
  case told(number: UInt64)
  /// An effect has started.
  case effectStarted(number: UInt64, root: UInt64, name: String?)
  /// An effect has ended, by itself or because it was cancelled.
  case effectEnded(number: UInt64, isCancelled: Bool)
  /// Changes cause one another without end.
  ///
  /// - Parameter cycle: The changes of one round, or the last few when no round was found.
  case runaway(cycle: [String])
}

/// A hook that is told what a store does.
///
/// A store without one pays nothing. The closure is called outside every lock, by the thread
/// that does the work, at times by several at once.
public struct LegoTracer: Sendable {
  private let receive: @Sendable (LegoEvent) -> Void

  /// Creates a hook.
  public init(_ receive: @escaping @Sendable (LegoEvent) -> Void) {
    self.receive = receive
  }

  /// Tells an event.
  public func callAsFunction(_ event: LegoEvent) {
    receive(event)
  }

  func effectStarted(_ number: UInt64, root: UInt64, name: String?) {
    receive(.effectStarted(number: number, root: root, name: name))
  }

  func effectEnded(_ number: UInt64, isCancelled: Bool) {
    receive(.effectEnded(number: number, isCancelled: isCancelled))
  }

  @usableFromInline func applied<Change>(_ notification: ChangeNotification<Change>) {
    receive(
      .applied(
        number: notification.number, root: notification.root,
        change: Description.of(notification.change)))
  }

  @usableFromInline func told(_ number: UInt64) {
    receive(.told(number: number))
  }
}

/// Notices changes that cause one another without end.
///
/// It counts what one thread tells without a pause. Past the limit it collects a few changes and
/// looks for a round in them.
@usableFromInline struct RunawayGuard<Change: Equatable & Sendable> {
  private static var window: Int { 64 }

  @usableFromInline var remaining: Int
  @usableFromInline var root: UInt64 = 0
  @usableFromInline var changes: [Change] = []

  @inlinable init(limit: Int) {
    remaining = limit
  }

  /// Counts a change.
  ///
  /// - Returns: Whether the limit is passed, and ``collect(_:)`` wants the changes.
  @inlinable mutating func isSuspicious() -> Bool {
    remaining -= 1
    return remaining < 0
  }

  /// Collects a change past the limit.
  ///
  /// - Returns: The changes of one round, once; an empty array at all other times.
  @usableFromInline mutating func collect(_ notification: ChangeNotification<Change>) -> [Change] {
    guard changes.count < Self.window else { return [] }
    // Only what one build caused can go round.
    if notification.root != root { changes = [] }
    root = notification.root
    changes.append(notification.change)
    guard changes.count == Self.window else { return [] }
    for period in 1...Self.window / 2
    where zip(changes, changes.dropFirst(period)).allSatisfy({ $0 == $1 }) {
      return Array(changes.prefix(period))
    }
    return changes.suffix(8)
  }
}
