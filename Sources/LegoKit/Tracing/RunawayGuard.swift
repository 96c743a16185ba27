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
