internal import Synchronization

extension Publishers {
  /// A publisher that calls closures when events pass through it.
  public struct HandleEvents<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// A closure that is called with the subscription.
    public let receiveSubscription: (@Sendable (any Subscription) -> Void)?
    /// A closure that is called with each value.
    public let receiveOutput: (@Sendable (Output) -> Void)?
    /// A closure that is called with the completion.
    public let receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?
    /// A closure that is called when the subscriber cancels.
    public let receiveCancel: (@Sendable () -> Void)?
    /// A closure that is called with each request for values.
    public let receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?

    /// Creates a publisher that calls closures when events pass through it.
    @preconcurrency public init(
      upstream: Upstream,
      receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
      receiveOutput: (@Sendable (Output) -> Void)? = nil,
      receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (@Sendable () -> Void)? = nil,
      receiveRequest: (@Sendable (Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(subscriber: Inner(downstream: subscriber, events: self))
    }

    /// The subscriber that `handleEvents` attaches to the upstream publisher.
    ///
    /// It reports either the completion or a cancellation, but never both.
    final class Inner<Downstream: Subscriber>: Subscriber
    where Downstream.Input == Output, Downstream.Failure == Failure {
      typealias Input = Upstream.Output

      let downstream: Mutex<Downstream?>
      let events: HandleEvents
      let link = SubscriptionLink()
      let isConnected = Atomic(false)

      init(downstream: Downstream, events: HandleEvents) {
        self.downstream = Mutex(downstream)
        self.events = events
      }

      func receive(subscription: any Subscription) {
        guard link.attach(subscription) else { return }
        isConnected.store(true, ordering: .releasing)
        events.receiveSubscription?(subscription)
        downstream.withLock { $0 }?.receive(
          subscription: ClosureSubscription(
            request: { self.request($0) }, cancel: { self.cancel() }))
      }

      func receive(_ input: Output) -> Subscribers.Demand {
        guard isConnected.load(ordering: .acquiring), let downstream = downstream.withLock({ $0 })
        else { return .none }
        events.receiveOutput?(input)
        let more = downstream.receive(input)
        if more > .none { events.receiveRequest?(more) }
        return more
      }

      func receive(completion: Subscribers.Completion<Failure>) {
        guard let downstream = take() else { return }
        link.end()
        events.receiveCompletion?(completion)
        downstream.receive(completion: completion)
      }

      func request(_ demand: Subscribers.Demand) {
        guard downstream.withLock({ $0 != nil }) else { return }
        events.receiveRequest?(demand)
        link.request(demand)
      }

      func cancel() {
        guard take() != nil else { return }
        events.receiveCancel?()
        link.cancel()
      }

      func take() -> Downstream? {
        downstream.withLock { downstream in
          defer { downstream = nil }
          return downstream
        }
      }
    }
  }
}

extension Publisher {
  /// Calls closures when events pass through this publisher.
  ///
  /// Each closure is called before the event is passed on.
  ///
  /// - Parameters:
  ///   - receiveSubscription: A closure that is called with the subscription.
  ///   - receiveOutput: A closure that is called with each value.
  ///   - receiveCompletion: A closure that is called with the completion.
  ///   - receiveCancel: A closure that is called when the subscriber cancels.
  ///   - receiveRequest: A closure that is called with each request for values.
  /// - Returns: A publisher that sends the same values.
  @preconcurrency public func handleEvents(
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
