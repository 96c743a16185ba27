extension Publishers {
  /// A publisher that combines the upstream values into one result.
  ///
  /// The result is sent once it is final and the subscriber has requested it.
  public struct Aggregate<Upstream: Publisher, Output: Sendable, Partial: Sendable>: Publisher {
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    let partial: Partial
    /// A closure that adds a value to the partial result, and returns whether the result is final.
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

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, AggregateMachine<Output, Failure, Partial>(partial))
      let finish: @Sendable (Partial) -> Void = { [result] partial in
        let value = result(partial)
        runner.update { $0.finish(value, &$1) }
      }
      runner.connect(
        to: upstream, requesting: .unlimited,
        receiveValue: { [step] value in
          guard var partial = runner.read({ $0.takePartial() }) else { return .none }
          if step(&partial, value) || !runner.read({ $0.restore(partial) }) { finish(partial) }
          return .none
        },
        receiveCompletion: { completion in
          if let partial = runner.update({ $0.end(completion, &$1) }) { finish(partial) }
        })
    }
  }

  /// The former name of ``Aggregate``.
  @available(*, deprecated, renamed: "Aggregate")
  public typealias Gather<Upstream: Publisher, Output: Sendable, Partial: Sendable> =
    Aggregate<Upstream, Output, Partial>
  /// A publisher that sends one of the upstream values, such as the first or the smallest.
  public typealias First<Upstream: Publisher> =
    Aggregate<Upstream, Upstream.Output, Upstream.Output?>
  /// A publisher that sends the last value.
  public typealias Last<Upstream: Publisher> = First<Upstream>
  /// A publisher that sends the accumulated result of all values.
  public typealias Reduce<Upstream: Publisher, Output: Sendable> =
    Aggregate<Upstream, Output, Output>
  /// A publisher that sends an array of all values.
  public typealias Collect<Upstream: Publisher> = Reduce<Upstream, [Upstream.Output]>
  /// A publisher that sends the number of values.
  public typealias Count<Upstream: Publisher> = Reduce<Upstream, Int>
  /// A publisher that sends whether any value, or every value, satisfies a predicate.
  public typealias ContainsWhere<Upstream: Publisher> = Reduce<Upstream, Bool>
  /// A publisher that sends only the completion.
  public typealias IgnoreOutput<Upstream: Publisher> = Aggregate<Upstream, Never, Bool>
}

/// The state of an operator that combines all values into one result.
private struct AggregateMachine<Value: Sendable, Failure: Error, Partial: Sendable>:
  SingleUpstreamMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The partial result, or `nil` while a closure is updating it or after the operator has ended.
  private var partial: Partial?

  init(_ partial: Partial) { self.partial = partial }

  /// Moves the partial result out of the state, so that a growing array is not copied for each
  /// value.
  ///
  /// - Returns: The partial result, or `nil` if the value must be ignored.
  mutating func takePartial() -> Partial? { acceptsValues ? partial.take() : nil }

  /// Moves the partial result back into the state.
  ///
  /// - Returns: `false` if upstream finished while the closure was running, in which case the
  ///   caller must send the result.
  mutating func restore(_ partial: Partial) -> Bool {
    guard output.isOpen else { return true }
    if upstream.isEnded { return false }
    self.partial = partial
    return true
  }

  /// Records that upstream has ended.
  ///
  /// - Returns: The partial result, or `nil` if there is none or if a closure is updating it.
  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) -> Partial? {
    guard upstream.end(&calls) else { return nil }
    if case .failure = completion { output.end(completion) }
    return partial.take()
  }

  /// Sends the result, if there is one, followed by the completion.
  mutating func finish(_ value: Value?, _ calls: inout PendingCalls) {
    guard output.isOpen else { return }
    upstream.cancel(&calls)
    if let value { output.send(value) }
    output.complete(.finished)
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    calls.release(partial)
    partial = nil
  }
}

extension Publisher {
  /// Sends only the first value, and then finishes.
  public func first() -> Publishers.First<Self> {
    Publishers.Aggregate(
      self, nil,
      step: { first, value in
        first = value
        return true
      }, result: { $0 })
  }

  /// Sends only the first value that satisfies a predicate, and then finishes.
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

  /// Sends only the last value, once this publisher has finished.
  public func last() -> Publishers.Last<Self> {
    Publishers.Aggregate(
      self, nil,
      step: { last, value in
        last = value
        return false
      }, result: { $0 })
  }

  /// Sends only the last value that satisfies a predicate, once this publisher has finished.
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

  /// Sends the accumulated result of all values, once this publisher has finished.
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

  /// Sends an array of all values, once this publisher has finished.
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Aggregate(
      self, [],
      step: { values, value in
        values.append(value)
        return false
      }, result: { $0 })
  }

  /// Sends the number of values, once this publisher has finished.
  public func count() -> Publishers.Count<Self> { reduce(0) { count, _ in count + 1 } }

  /// Sends `true` as soon as a value satisfies a predicate, or `false` if no value does.
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

  /// Sends `false` as soon as a value does not satisfy a predicate, or `true` if all values do.
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

  /// Sends the smallest value, as determined by a closure, once this publisher has finished.
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

  /// Sends the greatest value, as determined by a closure, once this publisher has finished.
  @preconcurrency public func max(
    by areInIncreasingOrder: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.First<Self> {
    min { areInIncreasingOrder($1, $0) }
  }

  /// Ignores all values, and sends only the completion.
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.Aggregate(self, false, step: { _, _ in false }, result: { _ in nil })
  }
}

extension Publisher where Output: Equatable {
  /// Sends `true` as soon as a value equals the given value, or `false` if none does.
  public func contains(_ output: Output) -> Publishers.ContainsWhere<Self> {
    contains { $0 == output }
  }
}

extension Publisher where Output: Comparable {
  /// Sends the smallest value, once this publisher has finished.
  public func min() -> Publishers.First<Self> { min { $0 < $1 } }

  /// Sends the greatest value, once this publisher has finished.
  public func max() -> Publishers.First<Self> { max { $0 < $1 } }
}
