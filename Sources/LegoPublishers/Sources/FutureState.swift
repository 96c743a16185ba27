/// The state of a future: its waiters, or its outcome.
@usableFromInline struct FutureState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>

  @usableFromInline var outcome: FutureOutcome<Output, Failure>?
  @usableFromInline var waiters: FutureWaiters<Output, Failure>
  @usableFromInline var tickets: UInt64

  @inlinable init() {
    outcome = nil
    waiters = .none
    tickets = 0
  }

  /// Adds a waiter, or answers with the outcome.
  @inlinable mutating func add(_ waiter: Waiter) -> (
    ticket: UInt64, outcome: FutureOutcome<Output, Failure>?
  ) {
    if let outcome { return (0, outcome) }
    tickets += 1
    waiters.append(.init(ticket: tickets, waiter: waiter))
    return (tickets, nil)
  }

  /// Removes a waiter and gives it back to be freed outside the lock.
  @inlinable mutating func remove(_ ticket: UInt64) -> Waiter? {
    waiters.remove { $0.ticket == ticket }
  }

  /// Removes the waiter of a subscription.
  @inlinable mutating func remove(_ subscription: FutureSubscription<Output, Failure>) -> Waiter? {
    waiters.remove { entry in
      if case .subscription(let other) = entry.waiter { other === subscription } else { false }
    }
  }

  /// Keeps the first outcome.
  ///
  /// - Returns: The first waiter, and whether there is no other.
  @inlinable mutating func settle(_ outcome: FutureOutcome<Output, Failure>) -> (
    waiter: Waiter?, isLast: Bool
  ) {
    guard self.outcome == nil else { return (nil, true) }
    self.outcome = outcome
    waiters.reverse()
    return waiters.popLast()
  }

  /// Takes the next waiter who has not cancelled, once the outcome is there.
  @inlinable mutating func nextWaiter() -> (waiter: Waiter?, isLast: Bool) { waiters.popLast() }
}
