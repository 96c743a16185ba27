/// The state of a future: its waiters, or its outcome.
///
/// The first waiter has a place of its own, since most futures have only one.
struct FutureState<Output: Sendable, Failure: Error>: Sendable {
  typealias Waiter = FutureWaiter<Output, Failure>

  private struct Entry: Sendable {
    let ticket: UInt64
    let waiter: Waiter
  }

  private var outcome: FutureOutcome<Output, Failure>?
  private var first: Entry?
  private var rest: [Entry] = []
  private var tickets: UInt64 = 0

  /// Adds a waiter, or answers with the outcome.
  mutating func add(_ waiter: Waiter) -> (ticket: UInt64, outcome: FutureOutcome<Output, Failure>?)
  {
    if let outcome { return (0, outcome) }
    tickets += 1
    let entry = Entry(ticket: tickets, waiter: waiter)
    if first == nil, rest.isEmpty { first = entry } else { rest.append(entry) }
    return (tickets, nil)
  }

  /// Removes a waiter and gives it back to be freed outside the lock.
  mutating func remove(_ ticket: UInt64) -> Waiter? {
    if let entry = first, entry.ticket == ticket {
      first = nil
      return entry.waiter
    }
    return rest.firstIndex { $0.ticket == ticket }.map { rest.remove(at: $0).waiter }
  }

  /// Removes the waiter of a subscription.
  mutating func remove(_ subscription: FutureSubscription<Output, Failure>) -> Waiter? {
    func matches(_ entry: Entry) -> Bool {
      if case .subscription(let other) = entry.waiter { other === subscription } else { false }
    }
    if let entry = first, matches(entry) { return remove(entry.ticket) }
    return rest.first(where: matches).flatMap { remove($0.ticket) }
  }

  /// Keeps the first outcome and gives up the waiters.
  mutating func settle(_ outcome: FutureOutcome<Output, Failure>) -> (Waiter?, [Waiter]) {
    guard self.outcome == nil else { return (nil, []) }
    self.outcome = outcome
    defer {
      first = nil
      rest = []
    }
    return (first?.waiter, rest.isEmpty ? [] : rest.map(\.waiter))
  }
}
