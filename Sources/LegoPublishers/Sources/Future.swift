public import Synchronization

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
    subscriber.receive(subscription: subscription.asSubscription)
    add(.subscription(subscription)).outcome.map(subscription.settle)
  }
}

extension Future where Failure == Never {
  /// Hands the value to a closure, until the token is cancelled or freed.
  @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable
  {
    let waiter = FutureWaiter<Output, Never>.closure(receiveValue)
    let (id, outcome) = core.add(waiter)
    guard let outcome else { return AnyCancellable(FutureWaiterToken(id, in: core)) }
    waiter.settle(outcome)
    return AnyCancellable()
  }
}

/// What a promise holds, so that a promise that is dropped is noticed.
@usableFromInline final class FutureResolver<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let core: FutureCore<Output, Failure>
  /// Whether the promise was kept, so that its end need not look under the lock.
  @usableFromInline let isKept = Atomic(false)

  @inlinable init(_ core: FutureCore<Output, Failure>) {
    self.core = core
  }

  @inlinable deinit {
    if !isKept.load(ordering: .relaxed) { core.settle(.abandoned) }
  }

  /// Keeps the promise.
  @inlinable @Sendable func resolve(_ result: Result<Output, Failure>) {
    isKept.store(true, ordering: .relaxed)
    core.settle(.result(result))
  }
}

/// A subscriber's connection to a future: it gives the result once it is both there and wanted.
@usableFromInline final class FutureSubscription<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline struct State: Sendable {
    @usableFromInline var subscriber: (ErasedSubscriber<Output, Failure>)?
    @usableFromInline var core: FutureCore<Output, Failure>?
    @usableFromInline var isWanted = false
    @usableFromInline var outcome: FutureOutcome<Output, Failure>?

    @inlinable init(
      subscriber: ErasedSubscriber<Output, Failure>, core: FutureCore<Output, Failure>
    ) {
      self.subscriber = subscriber
      self.core = core
    }

    /// Takes the subscriber when it can be told.
    @inlinable mutating func takeIfReady() -> (
      ErasedSubscriber<Output, Failure>, FutureOutcome<Output, Failure>
    )? {
      guard let subscriber, let outcome else { return nil }
      // An end without a value needs no demand.
      if case .result(.success) = outcome, !isWanted { return nil }
      self.subscriber = nil
      core = nil
      return (subscriber, outcome)
    }
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable init(
    _ subscriber: ErasedSubscriber<Output, Failure>, of core: FutureCore<Output, Failure>
  ) {
    state = Mutex(State(subscriber: subscriber, core: core))
  }

  /// What the subscriber is handed.
  @inlinable var asSubscription: ClosureSubscription {
    ClosureSubscription(request: { self.request($0) }, cancel: { self.cancel() })
  }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    notify(
      state.withLock { state in
        state.isWanted = true
        return state.takeIfReady()
      })
  }

  @inlinable func settle(_ outcome: FutureOutcome<Output, Failure>) {
    notify(
      state.withLock { state in
        state.outcome = outcome
        return state.takeIfReady()
      })
  }

  @inlinable func cancel() {
    isCancelled.store(true, ordering: .releasing)
    let old = state.withLock { state in
      let old = (state.subscriber, state.core)
      state.subscriber = nil
      state.core = nil
      return old
    }
    old.1?.remove(self)
  }

  @inlinable func notify(
    _ ready: (ErasedSubscriber<Output, Failure>, FutureOutcome<Output, Failure>)?
  ) {
    guard let (subscriber, outcome) = ready else { return }
    if case .result(.success(let value)) = outcome { _ = subscriber.receive(value) }
    if !isCancelled.load(ordering: .acquiring) {
      subscriber.receive(completion: outcome.completion)
    }
  }
}
