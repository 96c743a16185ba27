public import Synchronization

/// A publisher of one result, which is worked out once and kept for every subscriber.
///
/// The closure runs at once, in `init`. The promise may be kept from any thread; a second call is
/// ignored. When every copy of the promise is freed without a call, no value can come any more:
/// the future then finishes without one, so that nothing waits for it for ever.
public final class Future<Output: Sendable, Failure: Error>: Publisher, TicketOffice {
  /// What keeps the promise.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let state: Mutex<FutureState<Output, Failure>>

  /// Creates a future and runs the closure that will resolve it.
  @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    // A default value, and a deinit that is not written out, would be compiled for any type alone,
    // and look the types up each time.
    state = Mutex(FutureState<Output, Failure>())
    let resolver = FutureResolver(self)
    attemptToFulfill(resolver.resolve)
  }

  @inlinable deinit {}

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let subscription = FutureSubscription(ErasedSubscriber(subscriber), of: self)
    subscriber.receive(subscription: subscription.handle)
    add(.subscription(subscription)).map(subscription.settle)
  }

  /// Hides this publisher's type; one that has its outcome already costs no allocation.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    switch state.withLock({ $0.outcome }) {
    case .result(.success(let value)): AnyPublisher(storage: .ready(value))
    case .abandoned: .empty
    case .result(.failure), nil: AnyPublisher(self)
    }
  }

  /// Adds a waiter, or answers with the outcome when there is one.
  @inlinable func add(_ waiter: FutureWaiter<Output, Failure>) -> FutureOutcome<Output, Failure>? {
    state.withLock { $0.add(waiter).outcome }
  }

  /// Removes a waiter.
  @inlinable func cancel(ticket: UInt64) {
    let removed = state.withLock { $0.remove(ticket) }
    withExtendedLifetime(removed) {}
  }

  /// Removes the waiter of a subscription.
  @inlinable func remove(_ subscription: FutureSubscription<Output, Failure>) {
    let removed = state.withLock { $0.remove(subscription) }
    withExtendedLifetime(removed) {}
  }

  /// Keeps the first outcome and tells every waiter; a second one is ignored.
  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    var (waiter, isLast) = state.withLock { $0.settle(outcome) }
    while let current = waiter {
      current.settle(outcome)
      if isLast { return }
      // One at a time: whoever was told may cancel those who come after.
      (waiter, isLast) = state.withLock { $0.nextWaiter() }
    }
  }
}

extension Future where Failure == Never {
  /// Hands the value to a closure, until the token is cancelled or freed.
  @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable
  {
    let waiter = FutureWaiter<Output, Never>.closure(receiveValue)
    let (ticket, outcome) = state.withLock { $0.add(waiter) }
    guard let outcome else { return AnyCancellable(ticket, of: self) }
    waiter.settle(outcome)
    return AnyCancellable()
  }
}
