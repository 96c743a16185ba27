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
    @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Relay(to: subscriber) { [transform] input, downstream in
          // A value that was dropped is asked for again.
          transform(input).map(downstream.receive) ?? .max(1)
        })
    }
  }

  /// A publisher that drops the values that fail a test.
  public typealias Filter<Upstream: Publisher> = CompactMap<Upstream, Upstream.Output>
}

extension Publishers.CompactMap where Output == Upstream.Output {
  /// Creates a publisher that drops the values that fail a test.
  @inlinable public init(
    upstream: Upstream, isIncluded: @escaping @Sendable (Upstream.Output) -> Bool
  ) {
    self.init(upstream: upstream) { isIncluded($0) ? $0 : nil }
  }
}

extension Publisher {
  /// Turns each value into another and drops those that become `nil`.
  @inlinable public func compactMap<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T?)
    -> Publishers.CompactMap<Self, T>
  {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Drops the values that fail a test.
  @inlinable public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Filter<Self>
  {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}
