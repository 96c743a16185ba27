public import Synchronization

/// A future's state behind its lock, in a closure.
///
/// A generic object frees what it holds by code that is compiled for any type, and looks the types
/// up each time: that took longer than all the rest of a future that is resolved at once. A closure
/// frees what it holds by code that was compiled for the types where it was written.
@usableFromInline struct FutureCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias State = FutureState<Output, Failure>
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>
  @usableFromInline typealias Outcome = FutureOutcome<Output, Failure>

  /// Works on the state under its lock.
  @usableFromInline let access: @Sendable ((inout State) -> Void) -> Void

  @inlinable init() {
    let state = Mutex(State())
    access = { body in state.withLock { body(&$0) } }
  }

  /// What became of the future, if that is known.
  @inlinable var outcome: Outcome? {
    var outcome: Outcome?
    access { outcome = $0.outcome }
    return outcome
  }

  /// Adds a waiter, or answers with the outcome when there is one.
  @inlinable func add(_ waiter: Waiter) -> (ticket: UInt64, outcome: Outcome?) {
    var added: (ticket: UInt64, outcome: Outcome?) = (0, nil)
    access { added = $0.add(waiter) }
    return added
  }

  /// Removes a waiter.
  @inlinable func remove(_ ticket: UInt64) {
    // It is freed outside the lock.
    var removed: Waiter?
    access { removed = $0.remove(ticket) }
    withExtendedLifetime(removed) {}
  }

  /// Removes the waiter of a subscription.
  @inlinable func remove(_ subscription: FutureSubscription<Output, Failure>) {
    var removed: Waiter?
    access { removed = $0.remove(subscription) }
    withExtendedLifetime(removed) {}
  }

  /// Keeps the first outcome and tells every waiter; a second one is ignored.
  @inlinable func settle(_ outcome: Outcome) {
    var next: (waiter: Waiter?, isLast: Bool) = (nil, true)
    access { next = $0.settle(outcome) }
    if let waiter = next.waiter { tell(outcome, waiter, isLast: next.isLast) }
  }

  /// Tells every waiter, apart from the code of a future that nobody waits for yet.
  @inlinable @inline(never) func tell(_ outcome: Outcome, _ waiter: Waiter, isLast: Bool) {
    waiter.settle(outcome)
    var isLast = isLast
    while !isLast {
      // One at a time: whoever was told may cancel those who come after.
      var next: (waiter: Waiter?, isLast: Bool) = (nil, true)
      access { next = $0.nextWaiter() }
      next.waiter?.settle(outcome)
      isLast = next.isLast
    }
  }
}
