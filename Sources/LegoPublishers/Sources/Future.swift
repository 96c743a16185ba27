/// A publisher of one result, which is worked out once and kept for every subscriber.
///
/// The closure runs at once, in `init`. The promise may be kept from any thread; a second call is
/// ignored. When every copy of the promise is freed without a call, no value can come any more:
/// the future then finishes without one, so that nothing waits for it for ever.
public final class Future<Output: Sendable, Failure: Error>: Publisher {
  /// What keeps the promise.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let core: FutureCore<Output, Failure>

  /// Creates a future and runs the closure that will resolve it.
  @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    core = FutureCore()
    let resolver = FutureResolver(core)
    attemptToFulfill(resolver.resolve)
  }

  @inlinable deinit {}

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.receive(subscriber: subscriber)
  }

  /// Hides this publisher's type; one that has its outcome already costs no allocation.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    switch core.outcome {
    case .result(.success(let value)): AnyPublisher(storage: .ready(value))
    case .abandoned: .empty
    case .result(.failure), nil:
      // Without the future itself, which need not live on.
      AnyPublisher(storage: .other { [core] in core.receive(subscriber: $0) })
    }
  }
}

extension FutureCore {
  /// Connects a subscriber.
  @inlinable func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    let subscription = FutureSubscription(ErasedSubscriber(subscriber), of: self)
    subscriber.receive(subscription: subscription.handle)
    add(.subscription(subscription)).outcome.map(subscription.settle)
  }
}

extension Future where Failure == Never {
  /// Hands the value to a closure, until the token is cancelled or freed.
  @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable
  {
    let waiter = FutureWaiter<Output, Never>.closure(receiveValue)
    let (ticket, outcome) = core.add(waiter)
    guard let outcome else { return AnyCancellable(FutureTicket(ticket, in: core)) }
    waiter.settle(outcome)
    return AnyCancellable()
  }
}
