extension Publishers {
  /// A publisher that turns each value into another.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a value into another.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that turns each value into another.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Relay(to: subscriber) { [transform] in $1.receive(transform($0)) })
    }
  }
}

extension Publisher {
  /// Turns each value into another.
  @preconcurrency @inlinable public func map<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T
  )
    -> Publishers.Map<Self, T>
  {
    Publishers.Map(upstream: self, transform: transform)
  }
}
