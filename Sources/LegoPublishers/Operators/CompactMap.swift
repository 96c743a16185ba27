extension Publishers {
  /// A publisher that turns each value into another and drops those that become `nil`.
  public struct CompactMap<Upstream: Publisher, Output: Sendable>: Publisher {
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a value into another, or into `nil`.
    public let transform: @Sendable (Upstream.Output) -> Output?

    /// Creates a publisher that drops what becomes `nil`.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Sieve<S, Upstream.Output, Failure, Void>(
          subscriber, (),
          judge: { [transform] _, value in
            if let output = transform(value) { .pass(output) } else { .drop }
          }))
    }
  }

  /// A publisher that drops the values that fail a test.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Tells which values are passed on.
    public let isIncluded: @Sendable (Output) -> Bool

    /// Creates a publisher that drops the values that fail a test.
    @preconcurrency @inlinable public init(
      upstream: Upstream, isIncluded: @escaping @Sendable (Output) -> Bool
    ) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Sieve<S, Output, Failure, Void>(
          subscriber, (),
          judge: { [isIncluded] _, value in isIncluded(value) ? .pass(value) : .drop }))
    }
  }
}

extension Publisher {
  /// Turns each value into another and drops those that become `nil`.
  @preconcurrency @inlinable public func compactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T?
  ) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Drops the values that fail a test.
  @preconcurrency @inlinable public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Filter<Self>
  {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}
