public import Synchronization

/// The state of a future: its waiters, or its outcome.
@usableFromInline struct FutureState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>

  @usableFromInline var outcome: FutureOutcome<Output, Failure>?
  @usableFromInline var waiters: FutureWaiters<Output, Failure>
  @usableFromInline var lastID: UInt64

  @inlinable init() {
    outcome = nil
    waiters = .none
    lastID = 0
  }

  /// Adds a waiter, or answers with the outcome.
  @inlinable mutating func add(_ waiter: Waiter) -> (
    id: UInt64, outcome: FutureOutcome<Output, Failure>?
  ) {
    if let outcome { return (0, outcome) }
    lastID += 1
    waiters.append(.init(id: lastID, waiter: waiter))
    return (lastID, nil)
  }

  /// Removes a waiter and gives it back to be freed outside the lock.
  @inlinable mutating func remove(_ id: UInt64) -> Waiter? {
    waiters.remove { $0.id == id }
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

/// What became of a future.
@usableFromInline enum FutureOutcome<Output: Sendable, Failure: Error>: Sendable {
  /// The promise was kept.
  case result(Result<Output, Failure>)
  /// The promise was freed and can never be kept.
  case abandoned

  /// The end that subscribers are told.
  @inlinable var completion: Subscribers.Completion<Failure> {
    if case .result(.failure(let error)) = self { .failure(error) } else { .finished }
  }
}

/// Someone who waits for a future's result.
@usableFromInline enum FutureWaiter<Output: Sendable, Failure: Error>: Sendable {
  case subscription(FutureSubscription<Output, Failure>)
  case closure(@Sendable (Output) -> Void)

  /// Tells the outcome.
  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    switch self {
    case .subscription(let subscription):
      subscription.settle(outcome)
    case .closure(let receiveValue):
      if case .result(.success(let value)) = outcome { receiveValue(value) }
    }
  }
}

/// Those who wait for a future's result, in their order.
///
/// Most futures have one at most, who needs no array; one that nobody waits for has nothing to free.
@usableFromInline enum FutureWaiters<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Waiter = FutureWaiter<Output, Failure>

  @usableFromInline struct Entry: Sendable {
    @usableFromInline let id: UInt64
    @usableFromInline let waiter: Waiter

    @inlinable init(id: UInt64, waiter: Waiter) {
      self.id = id
      self.waiter = waiter
    }
  }

  case none
  case one(Entry)
  /// Two or more were there.
  case several([Entry])

  /// Adds one to the end.
  @inlinable mutating func append(_ entry: Entry) {
    switch self {
    case .none: self = .one(entry)
    case .one(let first): self = .several([first, entry])
    case .several(var entries):
      // Without it there would be two arrays, and the one that is added to would be copied.
      self = .none
      entries.append(entry)
      self = .several(entries)
    }
  }

  /// Takes the first that matches.
  @inlinable mutating func remove(where matches: (Entry) -> Bool) -> Waiter? {
    switch self {
    case .none: return nil
    case .one(let entry):
      guard matches(entry) else { return nil }
      self = .none
      return entry.waiter
    case .several(var entries):
      guard let index = entries.firstIndex(where: matches) else { return nil }
      self = .none
      let entry = entries.remove(at: index)
      self = .several(entries)
      return entry.waiter
    }
  }

  /// Turns the order round, so that each can be taken from the end, which costs the same for all.
  @inlinable mutating func reverse() {
    guard case .several(let entries) = self else { return }
    self = .several(entries.reversed())
  }

  /// Takes the last one.
  ///
  /// - Returns: The last, and whether there is no other.
  @inlinable mutating func popLast() -> (waiter: Waiter?, isLast: Bool) {
    switch self {
    case .none: return (nil, true)
    case .one(let entry):
      self = .none
      return (entry.waiter, true)
    case .several(var entries):
      self = .none
      let last = entries.popLast()
      if !entries.isEmpty { self = .several(entries) }
      return (last?.waiter, entries.isEmpty)
    }
  }
}

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
  @inlinable func add(_ waiter: Waiter) -> (id: UInt64, outcome: Outcome?) {
    var added: (id: UInt64, outcome: Outcome?) = (0, nil)
    access { added = $0.add(waiter) }
    return added
  }

  /// Removes a waiter.
  @inlinable func remove(_ id: UInt64) {
    // It is freed outside the lock.
    var removed: Waiter?
    access { removed = $0.remove(id) }
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
    if let waiter = next.waiter { notify(outcome, waiter, isLast: next.isLast) }
  }

  /// Tells every waiter, apart from the code of a future that nobody waits for yet.
  @inlinable @inline(never) func notify(_ outcome: Outcome, _ waiter: Waiter, isLast: Bool) {
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

/// The place of one who waits for a future's result, to be given up.
@usableFromInline struct FutureWaiterToken<Output: Sendable, Failure: Error>: Cancellable {
  @usableFromInline let core: FutureCore<Output, Failure>
  @usableFromInline let number: UInt64

  @inlinable init(_ number: UInt64, in core: FutureCore<Output, Failure>) {
    self.core = core
    self.number = number
  }

  @usableFromInline func cancel() { core.remove(number) }
}
