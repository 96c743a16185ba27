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
    public init(upstream: Upstream, _ map: @escaping @Sendable (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      transform = map
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
    }

    private struct Inner<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let downstream: Downstream
      let transform: @Sendable (Upstream.Failure) -> Failure
      var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

      func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
      }
      func receive(_ input: Output) -> Subscribers.Demand { downstream.receive(input) }
      func receive(completion: Subscribers.Completion<Upstream.Failure>) {
        downstream.receive(completion: completion.mapError(transform))
      }
    }
  }
}

extension Publisher {
  /// Turns a failure into another.
  public func mapError<E: Error>(_ transform: @escaping @Sendable (Failure) -> E)
    -> Publishers.MapError<Self, E>
  {
    Publishers.MapError(upstream: self, transform)
  }
}
