public import Synchronization

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
        subscriber: Sieve<S, Output, Failure, Output?>(
          subscriber, nil,
          judge: { [predicate] last, value in
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
