public import Synchronization

extension Publishers {
  /// A publisher that passes on, changes or drops each value, by what came before.
  public struct Transform<Upstream: Publisher, Output: Sendable, Failure: Error, State: Sendable>:
    Publisher
  {
    typealias Step =
      @Sendable (borrowing Mutex<State>, Upstream.Output) -> TransformResult<Output, Failure>

    /// Where the values come from.
    public let upstream: Upstream
    let state: State
    let step: Step
    let end: @Sendable (Subscribers.Completion<Upstream.Failure>) -> Subscribers.Completion<Failure>

    init(
      _ upstream: Upstream, _ state: State, _ step: @escaping Step,
      end:
        @escaping @Sendable (Subscribers.Completion<Upstream.Failure>) ->
        Subscribers.Completion<Failure>
    ) {
      self.upstream = upstream
      self.state = state
      self.step = step
      self.end = end
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TransformSubscriber<S, Upstream.Output, Upstream.Failure, State>(
          subscriber, state, step: step, end: end))
    }
  }

  /// A publisher of values made by a closure that may throw.
  public typealias TryMap<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, any Error, Void>
  /// A publisher that drops values by a closure that may throw.
  public typealias TryFilter<Upstream: Publisher> = TryMap<Upstream, Upstream.Output>
  /// A publisher that makes or drops values by a closure that may throw.
  public typealias TryCompactMap<Upstream: Publisher, Output: Sendable> = TryMap<Upstream, Output>
  /// A publisher of what accumulates.
  public typealias Scan<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, Upstream.Failure, Output>
  /// A publisher of what accumulates by a closure that may throw.
  public typealias TryScan<Upstream: Publisher, Output: Sendable> =
    Transform<Upstream, Output, any Error, Output>
  /// A publisher without the first few values.
  public typealias Drop<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Int>
  /// A publisher without the first values that pass a test.
  public typealias DropWhile<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Bool>
  /// A publisher of the first values that pass a test.
  public typealias PrefixWhile<Upstream: Publisher> =
    Transform<Upstream, Upstream.Output, Upstream.Failure, Void>
}

extension Publishers.Transform where Failure == Upstream.Failure {
  /// Passes the end on as it is.
  init(_ upstream: Upstream, _ state: State, _ step: @escaping Step) {
    self.init(upstream, state, step, end: { $0 })
  }
}

extension Publishers.Transform where Failure == any Error {
  /// Ends with the error that the closure throws.
  init(
    throwing upstream: Upstream, _ state: State,
    _ step:
      @escaping @Sendable (borrowing Mutex<State>, Upstream.Output) throws -> TransformResult<
        Output, any Error
      >
  ) {
    self.init(
      upstream, state,
      { state, input in
        do { return try step(state, input) } catch { return .end(.failure(error)) }
      },
      end: { completion in
        switch completion {
        case .finished: .finished
        case .failure(let error): .failure(error)
        }
      })
  }
}

extension Publisher {
  /// Turns each value into another, and fails when the closure throws.
  @preconcurrency public func tryMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T
  ) -> Publishers.TryMap<Self, T> {
    Publishers.Transform(throwing: self, ()) { .pass(try transform($1)) }
  }

  /// Turns each value into another, drops those that become `nil`, and fails when the closure
  /// throws.
  @preconcurrency public func tryCompactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) throws -> T?
  ) -> Publishers.TryCompactMap<Self, T> {
    Publishers.Transform(throwing: self, ()) { _, value in
      if let output = try transform(value) { .pass(output) } else { .drop }
    }
  }

  /// Drops the values that fail a test, and fails when the test throws.
  @preconcurrency public func tryFilter(
    _ isIncluded: @escaping @Sendable (Output) throws -> Bool
  ) -> Publishers.TryFilter<Self> {
    Publishers.Transform(throwing: self, ()) { try isIncluded($1) ? .pass($1) : .drop }
  }

  /// Sends a value in the place of each `nil`.
  public func replaceNil<T: Sendable>(with output: T) -> Publishers.Map<Self, T>
  where Output == T? {
    map { $0 ?? output }
  }
}

extension Publisher {
  /// Sends what accumulates, from a first value, with each value that comes.
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

  /// Sends what accumulates, and fails when the closure throws.
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

/// The part of an operator that passes on, changes or drops each value as it comes.
///
/// The upstream calls it one value at a time, as the protocol demands, so that it needs no queue
/// and allocates nothing for a value.
@usableFromInline
final class TransformSubscriber<
  Downstream: Subscriber, Input: Sendable, Failure: Error, State: Sendable
>:
  Subscriber
{
  @usableFromInline typealias Step =
    @Sendable (borrowing Mutex<State>, Input) -> TransformResult<
      Downstream.Input, Downstream.Failure
    >
  @usableFromInline typealias End =
    @Sendable (Subscribers.Completion<Failure>) -> Subscribers.Completion<Downstream.Failure>

  @usableFromInline let downstream: Downstream
  @usableFromInline let state: Mutex<State>
  @usableFromInline let link = SubscriptionLink()
  /// Whether a subscription has come and no end.
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
  /// Passes the end on as it is.
  @inlinable convenience init(
    _ downstream: Downstream, _ state: State, step: @escaping Step
  ) {
    self.init(downstream, state, step: step, end: { $0 })
  }
}

/// What an operator does with a value.
@usableFromInline enum TransformResult<Output: Sendable, Failure: Error>: Sendable {
  case pass(Output)
  /// Upstream is asked for another in its place.
  case drop
  /// Pass it, cancel upstream and finish.
  case last(Output)
  /// Cancel upstream and end.
  case end(Subscribers.Completion<Failure>)
}
