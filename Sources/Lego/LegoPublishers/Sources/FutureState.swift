public import Synchronization

/// The state of a future and its lock, captured by a closure.
///
/// When a generic object is deallocated, unspecialized code releases its properties and looks up
/// their types each time. For a future that is resolved immediately, that took longer than
/// everything else combined. A closure releases its captures in code that was specialized where the
/// closure was written.
@usableFromInline struct FutureCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias State = FutureState<Output, Failure>
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>
  @usableFromInline typealias Outcome = FutureOutcome<Output, Failure>

  /// Calls a closure with the state while holding the lock.
  @usableFromInline let access: @Sendable ((inout State) -> Void) -> Void

  @inlinable init() {
    let state = Mutex(State())
    access = { body in state.withLock { body(&$0) } }
  }

  /// The outcome, or `nil` if the future is not resolved yet.
  @inlinable var outcome: Outcome? {
    var outcome: Outcome?
    access { outcome = $0.outcome }
    return outcome
  }

  /// Attaches the given subscriber to the future.
  @inlinable func receive(subscriber: some Subscriber<Output, Failure>) {
    let subscription = FutureSubscription(AnySubscriber(subscriber), of: self)
    subscriber.receive(subscription: subscription.asSubscription)
    add(.subscription(subscription)).outcome.map(subscription.settle)
  }

  /// Adds a waiter, or returns the outcome if the future is already resolved.
  @inlinable func add(_ waiter: Waiter) -> (id: UInt64, outcome: Outcome?) {
    var added: (id: UInt64, outcome: Outcome?) = (0, nil)
    access { added = $0.add(waiter) }
    return added
  }

  @inlinable func remove(_ id: UInt64) {
    // The waiter is released outside the lock.
    var removed: Waiter?
    access { state in removed = state.removeWaiter { $0.id == id } }
    withExtendedLifetime(removed) {}
  }

  @inlinable func remove(_ subscription: FutureSubscription<Output, Failure>) {
    var removed: Waiter?
    access { state in
      removed = state.removeWaiter {
        if case .subscription(let other) = $0.waiter { other === subscription } else { false }
      }
    }
    withExtendedLifetime(removed) {}
  }

  /// Stores the outcome and notifies every waiter, unless the future is already resolved.
  @inlinable func settle(_ outcome: Outcome) {
    var first: Waiter?
    access { first = $0.settle(outcome) }
    if let first { notify(first, outcome) }
  }

  /// Notifies the given waiter, and then the remaining ones.
  ///
  /// This function is not inlined, because most futures have no waiters when they are resolved.
  @inlinable @inline(never) func notify(_ first: Waiter, _ outcome: Outcome) {
    var next: Waiter? = first
    while let waiter = next {
      // Waiters are taken one at a time, because each can cancel those that follow. They are
      // released outside the lock.
      next = nil
      waiter.settle(outcome)
      access { next = $0.waiters.popLast()?.waiter }
    }
  }
}

/// The state of a future: its waiters and, once it is resolved, its outcome.
@usableFromInline struct FutureState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>
  @usableFromInline typealias Entry = (id: UInt64, waiter: Waiter)

  @usableFromInline var outcome: FutureOutcome<Output, Failure>?
  /// The waiters in the order in which they were added, or in reverse order once there is an
  /// outcome.
  @usableFromInline var waiters: [Entry] = []
  @usableFromInline var lastID: UInt64 = 0

  @inlinable init() {}

  /// Adds a waiter, or returns the outcome if the future is already resolved.
  @inlinable mutating func add(_ waiter: Waiter) -> (
    id: UInt64, outcome: FutureOutcome<Output, Failure>?
  ) {
    if let outcome { return (0, outcome) }
    lastID += 1
    waiters.append((lastID, waiter))
    return (lastID, nil)
  }

  @inlinable mutating func removeWaiter(where matches: (Entry) -> Bool) -> Waiter? {
    waiters.firstIndex(where: matches).map { waiters.remove(at: $0).waiter }
  }

  /// Stores the outcome, unless the future is already resolved.
  ///
  /// - Returns: The first waiter to notify, or `nil` if there is none.
  @inlinable mutating func settle(_ outcome: FutureOutcome<Output, Failure>) -> Waiter? {
    guard self.outcome == nil else { return nil }
    self.outcome = outcome
    // After the reversal, each waiter can be removed from the end in constant time.
    waiters.reverse()
    return waiters.popLast()?.waiter
  }
}

/// The outcome of a future.
@usableFromInline enum FutureOutcome<Output: Sendable, Failure: Error>: Sendable {
  /// The promise was called.
  case result(Result<Output, Failure>)
  /// The promise was released without being called.
  case abandoned

  /// The completion that subscribers receive.
  @inlinable var completion: Subscribers.Completion<Failure> {
    if case .result(.failure(let error)) = self { .failure(error) } else { .finished }
  }
}

/// A subscription or closure that receives the outcome of a future.
@usableFromInline enum FutureWaiter<Output: Sendable, Failure: Error>: Sendable {
  case subscription(FutureSubscription<Output, Failure>)
  case closure(@Sendable (Output) -> Void)

  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    switch self {
    case .subscription(let subscription):
      subscription.settle(outcome)
    case .closure(let receiveValue):
      if case .result(.success(let value)) = outcome { receiveValue(value) }
    }
  }
}

/// A token that removes a waiter from its future when the token is cancelled.
@usableFromInline struct FutureWaiterToken<Output: Sendable, Failure: Error>: Cancellable {
  @usableFromInline let core: FutureCore<Output, Failure>
  @usableFromInline let id: UInt64

  @inlinable init(core: FutureCore<Output, Failure>, id: UInt64) {
    self.core = core
    self.id = id
  }

  @usableFromInline func cancel() { core.remove(id) }
}
