internal import Synchronization

extension Publishers {
  /// A publisher that reads all values and sends one result, once it is requested.
  public struct Aggregate<Upstream: Publisher, Output: Sendable, Partial: Sendable>: Publisher {
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    let partial: Partial
    /// Adds a value to the partial result, and returns whether the result is final.
    let step: @Sendable (inout Partial, Upstream.Output) -> Bool
    let result: @Sendable (Partial) -> Output?

    init(
      _ upstream: Upstream, _ partial: Partial,
      step: @escaping @Sendable (inout Partial, Upstream.Output) -> Bool,
      result: @escaping @Sendable (Partial) -> Output?
    ) {
      self.upstream = upstream
      self.partial = partial
      self.step = step
      self.result = result
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AggregateSubscriber(subscriber, self))
    }
  }

  /// A publisher of the first value.
  public typealias First<Upstream: Publisher> = Aggregate<
    Upstream, Upstream.Output, Upstream.Output?
  >
  /// A publisher of the last value.
  public typealias Last<Upstream: Publisher> = First<Upstream>
  /// A publisher of the accumulated result of all values.
  public typealias Reduce<Upstream: Publisher, Output: Sendable> = Aggregate<
    Upstream, Output, Output
  >
  /// A publisher of an array of all values.
  public typealias Collect<Upstream: Publisher> = Reduce<Upstream, [Upstream.Output]>
  /// A publisher of the number of values.
  public typealias Count<Upstream: Publisher> = Reduce<Upstream, Int>
  /// A publisher of whether any value passes a test, or all values do.
  public typealias ContainsWhere<Upstream: Publisher> = Reduce<Upstream, Bool>
  /// A publisher of the completion without any value.
  public typealias IgnoreOutput<Upstream: Publisher> = Aggregate<Upstream, Never, Bool>
}

extension Publisher {
  /// Sends the first value once it is requested, then finishes.
  public func first() -> Publishers.First<Self> {
    Publishers.Aggregate(
      self, nil,
      step: { first, value in
        first = value
        return true
      }, result: { $0 })
  }

  /// Sends the first value that passes a test once it is requested, then finishes.
  @preconcurrency public func first(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.First<Self>
  {
    Publishers.Aggregate(
      self, nil,
      step: { first, value in
        guard predicate(value) else { return false }
        first = value
        return true
      }, result: { $0 })
  }

  /// Sends the last value, once upstream has finished.
  public func last() -> Publishers.Last<Self> {
    Publishers.Aggregate(
      self, nil,
      step: { last, value in
        last = value
        return false
      }, result: { $0 })
  }

  /// Sends the last value that passes a test, once upstream has finished.
  @preconcurrency public func last(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Last<Self>
  {
    Publishers.Aggregate(
      self, nil,
      step: { last, value in
        if predicate(value) { last = value }
        return false
      }, result: { $0 })
  }

  /// Sends the accumulated result of all values, once upstream has finished.
  @preconcurrency public func reduce<T: Sendable>(
    _ initialResult: T, _ nextPartialResult: @escaping @Sendable (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Aggregate(
      self, initialResult,
      step: { result, value in
        result = nextPartialResult(result, value)
        return false
      }, result: { $0 })
  }

  /// Sends an array of all values, once upstream has finished.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Aggregate(
      self, [],
      step: { values, value in
        values.append(value)
        return false
      }, result: { $0 })
  }

  /// Sends the number of values, once upstream has finished.
  public func count() -> Publishers.Count<Self> { reduce(0) { count, _ in count + 1 } }

  /// Sends whether any value passes a test, as soon as this is known.
  @preconcurrency public func contains(where predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    Publishers.Aggregate(
      self, false,
      step: { isContained, value in
        isContained = predicate(value)
        return isContained
      }, result: { $0 })
  }

  /// Sends whether all values pass a test, as soon as this is known.
  @preconcurrency public func allSatisfy(_ predicate: @escaping @Sendable (Output) -> Bool)
    -> Publishers.ContainsWhere<Self>
  {
    Publishers.Aggregate(
      self, true,
      step: { isSatisfied, value in
        isSatisfied = predicate(value)
        return !isSatisfied
      }, result: { $0 })
  }

  /// Sends the smallest value according to a closure, once upstream has finished.
  @preconcurrency public func min(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.First<Self> {
    Publishers.Aggregate(
      self, nil,
      step: { least, value in
        if let known = least, !areInIncreasingOrder(value, known) { return false }
        least = value
        return false
      }, result: { $0 })
  }

  /// Sends the greatest value according to a closure, once upstream has finished.
  @preconcurrency public func max(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.First<Self> {
    min { areInIncreasingOrder($1, $0) }
  }

  /// Sends only the completion.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.Aggregate(self, false, step: { _, _ in false }, result: { _ in nil })
  }
}

extension Publisher where Output: Equatable {
  /// Sends whether any value is equal to a value, as soon as this is known.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> {
    contains { $0 == output }
  }
}

extension Publisher where Output: Comparable {
  /// Sends the smallest value, once upstream has finished.
  public func min() -> Publishers.First<Self> { min { $0 < $1 } }

  /// Sends the greatest value, once upstream has finished.
  public func max() -> Publishers.First<Self> { max { $0 < $1 } }
}

/// The subscriber of an operator that reads all values and sends one result.
private final class AggregateSubscriber<
  Downstream: Subscriber, Upstream: Publisher, Partial: Sendable
>:
  Subscriber, Subscription
where Upstream.Failure == Downstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure
  typealias Operator = Publishers.Aggregate<Upstream, Downstream.Input, Partial>

  private struct State: Sendable {
    var downstream: Downstream?
    var upstream = SubscriptionSlot()
    /// The partial result, or `nil` at the end and while a closure updates it.
    var partial: Partial?
    var isRequested = false
    var result: Downstream.Input?

    /// Takes the result if it can be sent now.
    mutating func takeResult() -> (Downstream, Downstream.Input)? {
      guard isRequested, let result, let downstream else { return nil }
      (self.result, self.downstream) = (nil, nil)
      return (downstream, result)
    }
  }

  private let state: Mutex<State>
  private let aggregate: Operator
  private let isCancelled = Atomic(false)

  init(_ downstream: Downstream, _ aggregate: Operator) {
    state = Mutex(State(downstream: downstream, partial: aggregate.partial))
    self.aggregate = aggregate
  }

  func receive(subscription: any Subscription) {
    let (downstream, calls) = state.withLock { state in
      var calls = PendingCalls()
      let isAttached = state.upstream.attach(subscription, &calls)
      return (isAttached ? state.downstream : nil, calls)
    }
    calls.perform()
    guard let downstream else { return }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // The partial result leaves the state; otherwise a growing array would be copied each time.
    guard
      var partial = state.withLock({ $0.upstream.subscription == nil ? nil : $0.partial.take() })
    else { return .none }
    if aggregate.step(&partial, input) {
      cancelUpstream()
      finish(partial)
    } else {
      // The completion may have arrived while the closure ran.
      let isOver = state.withLock { state in
        guard state.downstream != nil else { return false }
        if !state.upstream.isEnded { state.partial = partial }
        return state.upstream.isEnded
      }
      if isOver { finish(partial) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let (partial, isEnd, calls) = state.withLock { state in
      var calls = PendingCalls()
      let isEnd = state.upstream.end(&calls)
      return (isEnd ? state.partial.take() : nil, isEnd, calls)
    }
    calls.perform()
    guard isEnd else { return }
    switch completion {
    case .finished: if let partial { finish(partial) }
    case .failure: takeDownstream()?.receive(completion: completion)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    send(
      state.withLock { state in
        state.isRequested = true
        return state.takeResult()
      })
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    let dropped = state.withLock { state in
      defer { (state.partial, state.result) = (nil, nil) }
      return (state.downstream.take(), state.partial, state.result)
    }
    cancelUpstream()
    withExtendedLifetime(dropped) {}
  }

  private func finish(_ partial: Partial) {
    guard let value = aggregate.result(partial) else {
      // A completion without a value needs no demand.
      takeDownstream()?.receive(completion: .finished)
      return
    }
    send(
      state.withLock { state in
        state.result = value
        return state.takeResult()
      })
  }

  private func send(_ ready: (Downstream, Downstream.Input)?) {
    guard let (downstream, value) = ready else { return }
    _ = downstream.receive(value)
    if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
  }

  private func cancelUpstream() {
    let calls = state.withLock { state in
      var calls = PendingCalls()
      if !state.upstream.isEnded { state.upstream.cancel(&calls) }
      return calls
    }
    calls.perform()
  }

  private func takeDownstream() -> Downstream? { state.withLock { $0.downstream.take() } }
}
