public import Synchronization

extension Publishers {
  /// A publisher that converts each value and drops those that become `nil`.
  public struct CompactMap<Upstream: Publisher, Output: Sendable>: Publisher {
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Converts a value, or returns `nil`.
    public let transform: @Sendable (Upstream.Output) -> Output?

    /// Creates a publisher that converts values and drops those that become `nil`.
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
        subscriber: TransformSubscriber<S, Upstream.Output, Failure, Void>(
          subscriber, (),
          step: { [transform] _, value in
            if let output = transform(value) { .pass(output) } else { .drop }
          }))
    }
  }

  /// A publisher that drops the values that fail a test.
  public struct Filter<Upstream: Publisher>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Returns whether a value is passed on.
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
        subscriber: TransformSubscriber<S, Output, Failure, Void>(
          subscriber, (),
          step: { [isIncluded] _, value in isIncluded(value) ? .pass(value) : .drop }))
    }
  }
}

extension Publisher {
  /// Converts each value and drops those that become `nil`.
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

extension Publishers {
  /// A publisher that drops a value if it is equal to the previous one.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// Returns whether two values count as equal.
    public let predicate: @Sendable (Output, Output) -> Bool

    /// Creates a publisher that drops repeated values.
    @preconcurrency @inlinable public init(
      upstream: Upstream, predicate: @escaping @Sendable (Output, Output) -> Bool
    ) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Connects a subscriber.
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
  /// Drops a value if it is equal to the previous one.
  @inlinable public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: { $0 == $1 })
  }
}

extension Publisher {
  /// Drops a value if a closure considers it equal to the previous one.
  @preconcurrency @inlinable public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}
