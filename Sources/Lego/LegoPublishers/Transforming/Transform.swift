public import Synchronization

extension Publishers {
  /// A publisher that uses a stateful closure to pass on, transform or drop each value.
  public struct Transform<Upstream: Publisher, Output: Sendable, Failure: Error, State: Sendable>:
    Publisher
  {
    typealias Decision = TransformResult<Output, Failure>
    typealias Step = @Sendable (borrowing Mutex<State>, Upstream.Output) -> Decision
    typealias End =
      @Sendable (Subscribers.Completion<Upstream.Failure>) -> Subscribers.Completion<Failure>

    /// The upstream publisher.
    public let upstream: Upstream
    let state: State
    let step: Step
    let end: End

    init(
      _ upstream: Upstream, _ state: State, _ step: @escaping Step, end: @escaping End
    ) {
      self.upstream = upstream
      self.state = state
      self.step = step
      self.end = end
    }

    /// Attaches the given subscriber to this publisher.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TransformSubscriber<S, Upstream.Output, Upstream.Failure, State>(
          subscriber, state, step: step, end: end))
    }
  }

  /// The former name of ``Transform``.
  @available(*, deprecated, renamed: "Transform")
  public typealias Sift<Upstream: Publisher, Output: Sendable, Failure: Error, State: Sendable> =
    Transform<Upstream, Output, Failure, State>
  /// A publisher that transforms each value, and fails if the closure throws.
  public typealias TryMap<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, any Error, Void>
  /// A publisher that sends only the values that satisfy a predicate, and fails if the predicate
  /// throws.
  public typealias TryFilter<Upstream: Publisher> = TryMap<Upstream, Upstream.Output>
  /// A publisher that transforms each value, drops `nil` results, and fails if the closure throws.
  public typealias TryCompactMap<Upstream: Publisher, Output: Sendable> = TryMap<Upstream, Output>
  /// A publisher that sends the accumulated result after each value.
  public typealias Scan<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, Upstream.Failure, Output>
  /// A publisher that sends the accumulated result after each value, and fails if the closure
  /// throws.
  public typealias TryScan<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, any Error, Output>
  /// A publisher that drops a given number of values, then sends the rest.
  public typealias Drop<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Int>
  /// A publisher that drops values as long as they satisfy a predicate, then sends the rest.
  public typealias DropWhile<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Bool>
  /// A publisher that sends values as long as they satisfy a predicate, and then finishes.
  public typealias PrefixWhile<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Void>
}

extension Publishers.Transform where Failure == Upstream.Failure {
  /// Creates a publisher that passes on the completion unchanged.
  init(_ upstream: Upstream, _ state: State, _ step: @escaping Step) {
    self.init(upstream, state, step, end: { $0 })
  }
}

extension Publishers.Transform where Failure == any Error {
  /// Creates a publisher that fails if the closure throws.
  init(
    throwing upstream: Upstream, _ state: State,
    _ step: @escaping @Sendable (borrowing Mutex<State>, Upstream.Output) throws -> Decision
  ) {
    self.init(
      upstream, state,
      { state, input in
        do { return try step(state, input) } catch { return .end(.failure(error)) }
      },
      end: { $0.mapError { $0 } })
  }
}

extension Publisher {
  /// Transforms each value, and fails if the closure throws.
  @preconcurrency public func tryMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T
  ) -> Publishers.TryMap<Self, T> {
    Publishers.Transform(throwing: self, ()) { .pass(try transform($1)) }
  }

  /// Transforms each value, drops `nil` results, and fails if the closure throws.
  @preconcurrency public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.Transform(throwing: self, ()) { _, value in
      if let output = try transform(value) { .pass(output) } else { .drop }
    }
  }

  /// Sends only the values that satisfy a predicate, and fails if the predicate throws.
  @preconcurrency public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.Transform(throwing: self, ()) { try isIncluded($1) ? .pass($1) : .drop }
  }

  /// Sends the accumulated result after each value.
  @preconcurrency public func scan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Transform(self, initialResult) { state, value in
      let result = nextPartialResult(state.withLock { $0 }, value)
      var old = result
      state.withLock { swap(&$0, &old) }
      return .pass(result)
    }
  }

  /// Sends the accumulated result after each value, and fails if the closure throws.
  @preconcurrency public func tryScan<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.Transform(throwing: self, initialResult) { state, value in
      let result = try nextPartialResult(state.withLock { $0 }, value)
      var old = result
      state.withLock { swap(&$0, &old) }
      return .pass(result)
    }
  }
}

/// A subscriber that immediately passes on, transforms or drops each value.
///
/// Upstream sends one value at a time, as ``Subscriber`` requires. The subscriber therefore needs
/// no queue, and does not allocate memory for a value.
@usableFromInline
final class TransformSubscriber<
  Downstream: Subscriber, Input: Sendable, Failure: Error, State: Sendable
>: Subscriber {
  @usableFromInline typealias Decision = TransformResult<Downstream.Input, Downstream.Failure>
  @usableFromInline typealias Step = @Sendable (borrowing Mutex<State>, Input) -> Decision
  @usableFromInline typealias End =
    @Sendable (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @usableFromInline let state: Mutex<State>
  @usableFromInline let link = SubscriptionLink()
  /// A Boolean value that indicates whether there is an active subscription.
  @usableFromInline let isOpen = Atomic(false)
  @usableFromInline let step: Step
  @usableFromInline let end: End

  @inlinable init(
    _ downstream: Downstream, _ state: State, step: @escaping Step, end: @escaping End
  ) {
    self.downstream = downstream
    self.state = Mutex(state)
    self.step = step
    self.end = end
  }

  @inlinable func receive(subscription: any Subscription) {
    guard link.attach(subscription) else { return }
    isOpen.store(true, ordering: .releasing)
    downstream.receive(
      subscription: ClosureSubscription(
        request: { self.link.request($0) }, cancel: { self.cancel() }))
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard isOpen.load(ordering: .acquiring) else { return .none }
    switch step(state, input) {
    case .pass(let output):
      return downstream.receive(output)
    case .drop:
      return .max(1)
    case .last(let output):
      _ = downstream.receive(output)
      stop(.finished)
      return .none
    case .end(let completion):
      stop(completion)
      return .none
    }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    guard close() else { return }
    link.end()
    downstream.receive(completion: end(completion))
  }

  @inlinable func cancel() {
    _ = close()
    link.cancel()
  }

  @inlinable func stop(_ completion: Subscribers.Completion<Downstream.Failure>) {
    guard close() else { return }
    link.cancel()
    downstream.receive(completion: completion)
  }

  @inlinable func close() -> Bool {
    isOpen.exchange(false, ordering: .acquiringAndReleasing)
  }
}

extension TransformSubscriber where Failure == Downstream.Failure {
  /// Creates a subscriber that passes on the completion unchanged.
  @inlinable convenience init(_ downstream: Downstream, _ state: State, step: @escaping Step) {
    self.init(downstream, state, step: step, end: { $0 })
  }
}

/// The result of processing a value.
@usableFromInline enum TransformResult<Output: Sendable, Failure: Error>: Sendable {
  case pass(Output)
  /// Drops the value and requests another one from upstream.
  case drop
  /// Sends a value, cancels upstream and finishes.
  case last(Output)
  /// Cancels upstream and ends with a completion.
  case end(Subscribers.Completion<Failure>)
}
