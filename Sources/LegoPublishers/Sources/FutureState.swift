/// The state of a future: its waiters, or its outcome.
///
/// The first waiter has a place of its own, since most futures have only one.
@usableFromInline struct FutureState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>

  @usableFromInline struct Entry: Sendable {
    @usableFromInline let ticket: UInt64
    @usableFromInline let waiter: Waiter

    @inlinable init(ticket: UInt64, waiter: Waiter) {
      self.ticket = ticket
      self.waiter = waiter
    }
  }

  @usableFromInline var outcome: FutureOutcome<Output, Failure>?
  @usableFromInline var first: Entry?
  @usableFromInline var rest: [Entry]
  @usableFromInline var tickets: UInt64

  @inlinable init() {
    outcome = nil
    first = nil
    rest = []
    tickets = 0
  }

  /// Adds a waiter, or answers with the outcome.
  @inlinable mutating func add(_ waiter: Waiter) -> (
    ticket: UInt64, outcome: FutureOutcome<Output, Failure>?
  ) {
    if let outcome { return (0, outcome) }
    tickets += 1
    let entry = Entry(ticket: tickets, waiter: waiter)
    if first == nil, rest.isEmpty { first = entry } else { rest.append(entry) }
    return (tickets, nil)
  }

  /// Removes a waiter and gives it back to be freed outside the lock.
  @inlinable mutating func remove(_ ticket: UInt64) -> Waiter? {
    if let entry = first, entry.ticket == ticket {
      first = nil
      return entry.waiter
    }
    return rest.firstIndex { $0.ticket == ticket }.map { rest.remove(at: $0).waiter }
  }

  /// Removes the waiter of a subscription.
  @inlinable mutating func remove(_ subscription: FutureSubscription<Output, Failure>) -> Waiter? {
    func matches(_ entry: Entry) -> Bool {
      if case .subscription(let other) = entry.waiter { other === subscription } else { false }
    }
    if let entry = first, matches(entry) { return remove(entry.ticket) }
    return rest.first(where: matches).flatMap { remove($0.ticket) }
  }

  /// Keeps the first outcome.
  ///
  /// - Returns: The first waiter, and whether there is no other.
  @inlinable mutating func settle(_ outcome: FutureOutcome<Output, Failure>) -> (
    waiter: Waiter?, isLast: Bool
  ) {
    guard self.outcome == nil else { return (nil, true) }
    self.outcome = outcome
    if rest.isEmpty {
      defer { first = nil }
      return (first?.waiter, true)
    }
    // Taken from the end, so that each costs the same.
    rest.reverse()
    if let first { rest.append(first) }
    first = nil
    return nextWaiter()
  }

  /// Takes the next waiter who has not cancelled, once the outcome is there.
  @inlinable mutating func nextWaiter() -> (waiter: Waiter?, isLast: Bool) {
    (rest.popLast()?.waiter, rest.isEmpty)
  }
}
