extension Publishers {
  /// A publisher that sends what the publishers made of each value send.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// What the made publishers send.
    public typealias Output = NewPublisher.Output
    /// How upstream and the made publishers fail.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many made publishers may be under way at a time.
    public let maxPublishers: Subscribers.Demand
    /// Makes a publisher of a value.
    public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Creates a publisher of what the made publishers send.
    @preconcurrency @inlinable public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let joint = Joint(
        subscriber, FlatMapMachine<Output, Failure>(limit: maxPublishers))
      joint.connect()
      upstream.receive(
        subscriber: FlatMapOuter<Upstream.Output, NewPublisher, S>(joint, transform))
    }
  }
}

extension Publisher {
  /// Makes a publisher of each value and sends what all of them send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Mixes what the publishers made of each value send, which cannot fail themselves.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  /// Mixes what the publishers made of each value send, which may fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send, which fails as soon as one of them does.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Mixes what the publishers made of each value send; nothing can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
