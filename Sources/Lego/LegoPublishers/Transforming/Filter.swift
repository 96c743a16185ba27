public import Synchronization

extension Publishers {
  /// A publisher that transforms each value, and drops `nil` results.
  public struct CompactMap<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that transforms a value, or returns `nil` to drop it.
    public let transform: @Sendable (Upstream.Output) -> Output?

    /// Creates a publisher that transforms each value, and drops `nil` results.
    @preconcurrency @inlinable public init(
      upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output?
    ) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TransformSubscriber<S, Upstream.Output, Failure, Void>(
          subscriber, (),
          step: { [transform] _, value in
            if let output = transform(value) { .pass(output) } else { .drop }
          }))
    }
  }

  /// A publisher that sends only the values that satisfy a predicate.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that returns whether to send a value.
    public let isIncluded: @Sendable (Output) -> Bool

    /// Creates a publisher that sends only the values that satisfy a predicate.
    @preconcurrency @inlinable public init(
      upstream: Upstream, isIncluded: @escaping @Sendable (Output) -> Bool
    ) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TransformSubscriber<S, Output, Failure, Void>(
          subscriber, (),
          step: { [isIncluded] _, value in isIncluded(value) ? .pass(value) : .drop }))
    }
  }
}

extension Publisher {
  /// Transforms each value, and drops `nil` results.
  @preconcurrency @inlinable public func compactMap<T: Sendable>(
    _ transform: @escaping @Sendable (Output) -> T?
  ) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Sends only the values that satisfy a predicate.
  @preconcurrency @inlinable public func filter(_ isIncluded: @escaping @Sendable (Output) -> Bool)
    -> Publishers.Filter<Self>
  {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }
}

extension Publishers {
  /// A publisher that drops each value that is equal to the previous one.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that returns whether two values are considered equal.
    public let predicate: @Sendable (Output, Output) -> Bool

    /// Creates a publisher that drops each value that a closure considers equal to the previous
    /// one.
    @preconcurrency @inlinable public init(
      upstream: Upstream, predicate: @escaping @Sendable (Output, Output) -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches the given subscriber to this publisher.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: TransformSubscriber<S, Output, Failure, Output?>(
          subscriber, nil,
          step: { [predicate] last, value in
            var old: Output? = value
            last.withLock { swap(&$0, &old) }
            guard let old else { return .pass(value) }
            return predicate(old, value) ? .drop : .pass(value)
          }))
    }
  }
}

extension Publisher where Output: Equatable {
  /// Drops each value that is equal to the previous one.
  @inlinable public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: { $0 == $1 })
  }
}

extension Publisher {
  /// Drops each value that a closure considers equal to the previous one.
  @preconcurrency @inlinable public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}
