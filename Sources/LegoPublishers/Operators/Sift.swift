public import Synchronization

extension Publishers {
  /// A publisher that passes on, changes or drops each value, by what came before.
  public struct Sift<Upstream: Publisher, Output: Sendable, Failure: Error, Memory: Sendable>:
    Publisher
  {
    @usableFromInline typealias Judge =
      @Sendable (borrowing Mutex<Memory>, Upstream.Output) -> Verdict<Output, Failure>

    /// Where the values come from.
    public let upstream: Upstream
    @usableFromInline let memory: Memory
    @usableFromInline let judge: Judge
    @usableFromInline let end:
      @Sendable (Subscribers.Completion<Upstream.Failure>) -> Subscribers.Completion<Failure>

    @inlinable init(
      _ upstream: Upstream, _ memory: Memory, _ judge: @escaping Judge,
      end:
        @escaping @Sendable (Subscribers.Completion<Upstream.Failure>) ->
        Subscribers.Completion<Failure>
    ) {
      self.upstream = upstream
      self.memory = memory
      self.judge = judge
      self.end = end
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Sieve<S, Upstream.Output, Upstream.Failure, Memory>(
          subscriber, memory, judge: judge, end: end))
    }
  }

  /// A publisher of values made by a closure that may throw.
  public typealias TryMap<Upstream: Publisher, Output: Sendable> =
    Sift<Upstream, Output, any Error, Void>
  /// A publisher that drops values by a closure that may throw.
  public typealias TryFilter<Upstream: Publisher> = TryMap<Upstream, Upstream.Output>
  /// A publisher that makes or drops values by a closure that may throw.
  public typealias TryCompactMap<Upstream: Publisher, Output: Sendable> = TryMap<Upstream, Output>
  /// A publisher of what accumulates.
  public typealias Scan<Upstream: Publisher, Output: Sendable> =
    Sift<Upstream, Output, Upstream.Failure, Output>
  /// A publisher of what accumulates by a closure that may throw.
  public typealias TryScan<Upstream: Publisher, Output: Sendable> =
    Sift<Upstream, Output, any Error, Output>
  /// A publisher without the first few values.
  public typealias Drop<Upstream: Publisher> =
    Sift<Upstream, Upstream.Output, Upstream.Failure, Int>
  /// A publisher without the first values that pass a test.
  public typealias DropWhile<Upstream: Publisher> =
    Sift<Upstream, Upstream.Output, Upstream.Failure, Bool>
  /// A publisher of the first values that pass a test.
  public typealias PrefixWhile<Upstream: Publisher> =
    Sift<Upstream, Upstream.Output, Upstream.Failure, Void>
}

extension Publishers.Sift where Failure == Upstream.Failure {
  /// Passes the end on as it is.
  @inlinable init(_ upstream: Upstream, _ memory: Memory, _ judge: @escaping Judge) {
    self.init(upstream, memory, judge, end: { $0 })
  }
}

extension Publishers.Sift where Failure == any Error {
  /// Ends with the error that the closure throws.
  @inlinable init(
    throwing upstream: Upstream, _ memory: Memory,
    _ judge:
      @escaping @Sendable (borrowing Mutex<Memory>, Upstream.Output) throws -> Verdict<
        Output, any Error
      >
  ) {
    self.init(
      upstream, memory,
      { memory, input in
        do { return try judge(memory, input) } catch { return .end(.failure(error)) }
      },
      end: { completion in
        switch completion {
        case .finished: .finished
        case .failure(let error): .failure(error)
        }
      })
  }
}
