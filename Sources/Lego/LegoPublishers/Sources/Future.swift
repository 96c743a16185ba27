public import Synchronization

/// A publisher that eventually sends one value and finishes, or fails.
///
/// The closure runs once, when the future is created. Every subscriber receives the result that is
/// passed to the promise. The promise can be called on any thread. Only the first call has an
/// effect. If every copy of the promise is released without being called, the future finishes
/// without a value, so that subscribers do not wait forever.
public final class Future<Output: Sendable, Failure: Error>: Publisher {
  /// A closure that resolves the future with a result.
  public typealias Promise = @Sendable (Result<Output, Failure>) -> Void

  @usableFromInline let core: FutureCore<Output, Failure>

  /// Creates a future, and immediately calls the given closure with the promise.
  @inlinable public init(_ attemptToFulfill: (@escaping Promise) -> Void) {
    core = FutureCore()
    let resolver = FutureResolver(core)
    attemptToFulfill(resolver.resolve)
  }

  @inlinable deinit {}

  /// Attaches the given subscriber to this publisher.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    core.receive(subscriber: subscriber)
  }

  /// Wraps this publisher with a type eraser.
  ///
  /// If the future has already finished without a failure, this method does not allocate memory.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    switch core.outcome {
    case .result(.success(let value)): AnyPublisher(storage: .ready(value))
    case .abandoned: .empty
    case .result(.failure), nil:
      // The closure captures only the core, because the future itself does not need to stay alive.
      AnyPublisher(storage: .other { [core] in core.receive(subscriber: $0) })
    }
  }
}

extension Future where Failure == Never {
  /// Calls a closure with the value once it is available.
  ///
  /// If the future finishes without a value, the closure is not called.
  ///
  /// - Parameter receiveValue: A closure that receives the value.
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  @inlinable public func sink(receiveValue: @escaping @Sendable (Output) -> Void) -> AnyCancellable
  {
    let waiter = FutureWaiter<Output, Never>.closure(receiveValue)
    let (id, outcome) = core.add(waiter)
    guard let outcome else { return AnyCancellable(FutureWaiterToken(core: core, id: id)) }
    waiter.settle(outcome)
    return AnyCancellable()
  }
}

/// The object behind a promise, which detects when all copies of the promise have been released.
@usableFromInline final class FutureResolver<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let core: FutureCore<Output, Failure>
  /// A Boolean value that indicates whether the promise has been called.
  ///
  /// This lets `deinit` avoid the lock.
  @usableFromInline let isResolved = Atomic(false)

  @inlinable init(_ core: FutureCore<Output, Failure>) { self.core = core }

  @inlinable deinit {
    if !isResolved.load(ordering: .relaxed) { core.settle(.abandoned) }
  }

  @inlinable @Sendable func resolve(_ result: Result<Output, Failure>) {
    isResolved.store(true, ordering: .relaxed)
    core.settle(.result(result))
  }
}

/// A subscription to a future, which sends the value once it is requested.
@usableFromInline final class FutureSubscription<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Downstream = AnySubscriber<Output, Failure>
  @usableFromInline typealias Outcome = FutureOutcome<Output, Failure>

  @usableFromInline struct State: Sendable {
    @usableFromInline var subscriber: Downstream?
    @usableFromInline var core: FutureCore<Output, Failure>?
    @usableFromInline var isRequested = false
    @usableFromInline var outcome: Outcome?

    @inlinable init(subscriber: Downstream, core: FutureCore<Output, Failure>) {
      self.subscriber = subscriber
      self.core = core
    }

    /// Takes the subscriber and the outcome if the outcome can be sent now.
    @inlinable mutating func takeIfReady() -> (Downstream, Outcome)? {
      guard let subscriber, let outcome else { return nil }
      // A completion without a value needs no demand.
      if case .result(.success) = outcome, !isRequested { return nil }
      self.subscriber = nil
      core = nil
      return (subscriber, outcome)
    }
  }

  @usableFromInline let state: Mutex<State>
  @usableFromInline let isCancelled = Atomic(false)

  @inlinable init(_ subscriber: Downstream, of core: FutureCore<Output, Failure>) {
    state = Mutex(State(subscriber: subscriber, core: core))
  }

  /// The subscription that is sent to the subscriber.
  @inlinable var asSubscription: ClosureSubscription {
    ClosureSubscription(request: { self.request($0) }, cancel: { self.cancel() })
  }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    send(
      state.withLock { state in
        state.isRequested = true
        return state.takeIfReady()
      })
  }

  @inlinable func settle(_ outcome: Outcome) {
    send(
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

  @inlinable func send(_ ready: (Downstream, Outcome)?) {
    guard let (subscriber, outcome) = ready else { return }
    if case .result(.success(let value)) = outcome { _ = subscriber.receive(value) }
    if !isCancelled.load(ordering: .acquiring) {
      subscriber.receive(completion: outcome.completion)
    }
  }
}
