/// An event that a store reports to its tracer.
public enum LegoEvent: Sendable, Hashable {
  /// A change was applied and is about to be delivered.
  ///
  /// - Parameters:
  ///   - number: The change's number in its store, starting at 1.
  ///   - root: The number of the build that caused the change, or 0 if no build did. For a build,
  ///     it is the change's own number. For a change from an effect of ``Adaptor/closing(_:)``, it
  ///     is `UInt64.max`.
  ///   - change: The change as text.
  case applied(number: UInt64, root: UInt64, change: String)
  /// A change was delivered: the observers have been notified, and the adaptors have run.
  case delivered(number: UInt64)
  /// An effect has started.
  case effectStarted(number: UInt64, root: UInt64, name: String?)
  /// An effect has ended or has been cancelled.
  case effectEnded(number: UInt64, isCancelled: Bool)
  /// Changes cause one another without end.
  ///
  /// - Parameter cycle: The changes that repeat, or the last few changes if no repetition was
  ///   found.
  case runaway(cycle: [String])
}

/// A hook that receives the events of a store.
///
/// Events are sent outside every lock, from the thread that does the work. Several threads may send
/// events at the same time.
public struct LegoTracer: Sendable {
  private let receive: @Sendable (LegoEvent) -> Void

  /// Creates a hook that passes each event to a closure.
  public init(_ receive: @escaping @Sendable (LegoEvent) -> Void) {
    self.receive = receive
  }

  /// Passes an event to the closure.
  public func callAsFunction(_ event: LegoEvent) {
    receive(event)
  }

  @usableFromInline func effectStarted(_ number: UInt64, root: UInt64, name: String?) {
    receive(.effectStarted(number: number, root: root, name: name))
  }

  @usableFromInline func effectEnded(_ number: UInt64, isCancelled: Bool) {
    receive(.effectEnded(number: number, isCancelled: isCancelled))
  }

  @usableFromInline func applied(_ number: UInt64, root: UInt64, _ change: Any) {
    receive(.applied(number: number, root: root, change: Description.of(change)))
  }

  @usableFromInline func delivered(_ number: UInt64) {
    receive(.delivered(number: number))
  }
}

/// Detects changes that cause one another without end.
///
/// The detector counts the changes that one thread delivers without a pause. Beyond the limit, it
/// collects a few changes and searches them for a repetition.
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
  /// - Returns: `true` if the limit has been exceeded, in which case the change must be collected.
  @inlinable mutating func isSuspicious() -> Bool {
    remaining -= 1
    return remaining < 0
  }

  /// Collects a change beyond the limit.
  ///
  /// - Returns: Once enough changes have been collected, the changes that repeat, or the last few
  ///   if none repeat. Otherwise, an empty array.
  @usableFromInline mutating func collect(_ change: Change, root: UInt64) -> [Change] {
    guard changes.count < Self.window else { return [] }
    // Only changes with the same root can repeat without end.
    if root != self.root { changes = [] }
    self.root = root
    changes.append(change)
    guard changes.count == Self.window else { return [] }
    for period in 1...Self.window / 2
    where zip(changes, changes.dropFirst(period)).allSatisfy({ $0 == $1 }) {
      return Array(changes.prefix(period))
    }
    return changes.suffix(8)
  }
}
