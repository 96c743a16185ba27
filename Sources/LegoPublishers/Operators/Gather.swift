extension Publishers {
  /// A publisher that reads all of upstream and sends one result, once it is wanted.
  public struct Gather<Upstream: Publisher, Output: Sendable, Memory: Sendable>: Publisher {
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    let memory: Memory
    /// Works a value in, and tells whether the result is known, whatever follows.
    let step: @Sendable (inout Memory, Upstream.Output) -> Bool
    let result: @Sendable (Memory) -> Output?

    init(
      _ upstream: Upstream, _ memory: Memory,
      step: @escaping @Sendable (inout Memory, Upstream.Output) -> Bool,
      result: @escaping @Sendable (Memory) -> Output?
    ) {
      self.upstream = upstream
      self.memory = memory
      self.step = step
      self.result = result
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Gatherer(subscriber, self))
    }
  }

  /// A publisher of the first value.
  public typealias First<Upstream: Publisher> = Gather<Upstream, Upstream.Output, Upstream.Output?>
  /// A publisher of the last value.
  public typealias Last<Upstream: Publisher> = First<Upstream>
  /// A publisher of the value that all values are worked into.
  public typealias Reduce<Upstream: Publisher, Output: Sendable> = Gather<Upstream, Output, Output>
  /// A publisher of all values at once.
  public typealias Collect<Upstream: Publisher> =
    Reduce<Upstream, [Upstream.Output]>
  /// A publisher of the number of values.
  public typealias Count<Upstream: Publisher> = Reduce<Upstream, Int>
  /// A publisher that tells whether some value passes a test, or all do.
  public typealias ContainsWhere<Upstream: Publisher> = Reduce<Upstream, Bool>
  /// A publisher of nothing but the end.
  public typealias IgnoreOutput<Upstream: Publisher> = Gather<Upstream, Never, Bool>
}
