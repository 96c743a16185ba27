extension Publishers {
  /// A publisher that turns each value into another.
  public struct Map<Upstream: Publisher, Output: Sendable>: Publisher {
    /// It fails as upstream does.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Turns a value into another.
    public let transform: @Sendable (Upstream.Output) -> Output

    /// Creates a publisher that turns each value into another.
    public init(upstream: Upstream, transform: @escaping @Sendable (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
    {
      upstream.receive(subscriber: Inner(downstream: subscriber, transform: transform))
    }

    private struct Inner<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
      typealias Input = Upstream.Output
      let downstream: Downstream
      let transform: @Sendable (Upstream.Output) -> Output
      var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

      func receive(subscription: any Subscription) {
        downstream.receive(subscription: subscription)
      }
      func receive(_ input: Input) -> Subscribers.Demand { downstream.receive(transform(input)) }
      func receive(completion: Subscribers.Completion<Failure>) {
        downstream.receive(completion: completion)
      }
    }
  }
}

extension Publisher {
  /// Turns each value into another.
  public func map<T: Sendable>(_ transform: @escaping @Sendable (Output) -> T)
    -> Publishers.Map<Self, T>
  {
    Publishers.Map(upstream: self, transform: transform)
  }
}
