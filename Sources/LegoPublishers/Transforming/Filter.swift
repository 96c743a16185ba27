public import Synchronization

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
        subscriber: TransformSubscriber<S, Upstream.Output, Failure, Void>(
          subscriber, (),
          step: { [transform] _, value in
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
        subscriber: TransformSubscriber<S, Output, Failure, Void>(
          subscriber, (),
          step: { [isIncluded] _, value in isIncluded(value) ? .pass(value) : .drop }))
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

extension Publishers {
  /// A publisher that drops a value equal to the one before.
  public struct RemoveDuplicates<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Tells whether two values count as equal.
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
  /// Drops a value equal to the one before.
  @inlinable public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: { $0 == $1 })
  }
}

extension Publisher {
  /// Drops a value that counts as equal to the one before.
  @preconcurrency @inlinable public func removeDuplicates(
    by predicate: @escaping @Sendable (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }
}
