extension Publishers {
  /// A publisher that cannot fail, where one is wanted that could.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: Publisher
  where Upstream.Failure == Never {
    /// What upstream sends.
    public typealias Output = Upstream.Output

    /// Where the values come from.
    public let upstream: Upstream

    /// Creates a publisher with a failure type.
    @inlinable public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Relay(to: subscriber, end: { _ in .finished }))
    }
  }
}

extension Publisher where Failure == Never {
  /// Names a failure type for a publisher that cannot fail.
  @inlinable public func setFailureType<E: Error>(to failureType: E.Type)
    -> Publishers.SetFailureType<Self, E>
  {
    Publishers.SetFailureType(upstream: self)
  }
}
