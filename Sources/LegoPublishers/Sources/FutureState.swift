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
  @usableFromInline var rest: [Entry] = []
  @usableFromInline var tickets: UInt64 = 0

  @inlinable init() {}

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

  /// Keeps the first outcome and gives up the waiters.
  @inlinable mutating func settle(_ outcome: FutureOutcome<Output, Failure>) -> (Waiter?, [Waiter])
  {
    guard self.outcome == nil else { return (nil, []) }
    self.outcome = outcome
    defer {
      first = nil
      rest = []
    }
    return (first?.waiter, rest.isEmpty ? [] : rest.map(\.waiter))
  }
}
