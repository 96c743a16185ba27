extension Publishers {
  /// A publisher that turns a failure into another.
  public struct MapError<Upstream: Publisher, Failure: Error>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a failure into another.
    public let transform: @Sendable (Upstream.Failure) -> Failure

    /// Creates a publisher that turns a failure into another.
    @preconcurrency @inlinable public init(
      upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure
    ) {
      self.upstream = upstream
      transform = map
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Relay(to: subscriber, end: { [transform] in $0.mapError(transform) }))
    }
  }
}

extension Publisher {
  /// Turns a failure into another.
  @preconcurrency @inlinable public func mapError<E: Error>(
    _ transform: @escaping @Sendable (Failure) -> E
  )
    -> Publishers.MapError<Self, E>
  {
    Publishers.MapError(upstream: self, transform)
  }
}
