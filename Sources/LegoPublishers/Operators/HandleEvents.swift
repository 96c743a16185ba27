extension Publishers {
  /// A publisher that tells closures of what passes through it.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Told of the subscription.
    public let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    /// Told of each value.
    public let receiveOutput: (@Sendable (Output) -> Void)?
    /// Told of the end.
    public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    /// Told of a cancellation.
    public let receiveCancel: (@Sendable () -> Void)?
    /// Told of each demand.
    public let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Inner(downstream: subscriber, events: self))
    }

    private struct Inner<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
      let downstream: Downstream
      let events: HandleEvents
      var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

      func receive(subscription: any Subscription) {
        events.receiveSubscription?(subscription)
        downstream.receive(subscription: Told(inner: subscription, events: events))
      }
      func receive(_ input: Output) -> Subscribers.Demand {
        events.receiveOutput?(input)
        let more = downstream.receive(input)
        if more > .none { events.receiveRequest?(more) }
        return more
      }
      func receive(completion: Subscribers.Completion<Failure>) {
        events.receiveCompletion?(completion)
        downstream.receive(completion: completion)
      }
    }

    private struct Told: Subscription {
      let inner: any Subscription
      let events: HandleEvents
      var combineIdentifier: CombineIdentifier { inner.combineIdentifier }

      func request(_ demand: Subscribers.Demand) {
        events.receiveRequest?(demand)
        inner.request(demand)
      }
      func cancel() {
        events.receiveCancel?()
        inner.cancel()
      }
    }
  }
}

extension Publisher {
  /// Tells closures of what passes through.
  public func handleEvents(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveOutput: (@Sendable (Output) -> Void)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (@Sendable () -> Void)? = nil,
    receiveRequest: (@Sendable (Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel,
      receiveRequest: receiveRequest)
  }
}
