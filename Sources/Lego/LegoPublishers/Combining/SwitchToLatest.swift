extension Publishers {
  /// A publisher that sends the values of the latest publisher received from upstream.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == NewPublisher, NewPublisher.Failure == Upstream.Failure {
    /// The output type of the publishers that the upstream publisher sends.
    public typealias Output = NewPublisher.Output
    /// The failure type of the upstream publisher and of the publishers that it sends.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher, whose values are publishers.
    public let upstream: Upstream

    /// Creates a publisher that sends the values of the latest publisher received from upstream.
    public init(upstream: Upstream) { self.upstream = upstream }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, SwitchMachine<Output, Failure>())
      runner.connect()
      upstream.receive(
        subscriber: AnySubscriber<NewPublisher, Failure>(
          receiveSubscription: { subscription in
            runner.callUpstream { $0.connect(subscription, &$1) }
          },
          receiveValue: { publisher in
            if let id = runner.update({ $0.switchToNext(&$1) }) {
              publisher.receive(subscriber: SwitchSubscriber(runner: runner, id: id))
            }
            return .none
          },
          receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } }))
    }
  }
}

/// The subscriber that `switchToLatest` attaches to each publisher received from upstream.
private struct SwitchSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<SwitchMachine<Input, Failure>, Downstream>
  let id: UpstreamID

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    runner.send(input, from: id) { $0.accepts(from: id) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    runner.update { $0.end(completion, of: id, &$1) }
  }
}

/// The state of `switchToLatest`: the upstream publisher, and the latest publisher that it sent.
private struct SwitchMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var latest = SubscriptionSlot()
  var id = UpstreamID()
  /// A Boolean value that indicates whether the latest publisher can still send values.
  var isLatestOpen = false

  mutating func connect(_ subscription: any Subscription, _ calls: inout PendingCalls) {
    if upstream.attach(subscription, &calls) { calls.request(subscription, .unlimited) }
  }

  /// Cancels the latest publisher, and switches to a new publisher that the caller subscribes to
  /// outside the lock.
  ///
  /// - Returns: The identifier of the new publisher, or `nil` if the operator or its upstream has
  ///   ended.
  mutating func switchToNext(_ calls: inout PendingCalls) -> UpstreamID? {
    guard output.isOpen, upstream.isOpen else { return nil }
    calls.cancel(latest.subscription)
    latest = SubscriptionSlot()
    isLatestOpen = true
    id.generation += 1
    return id
  }

  func isCurrent(_ id: UpstreamID) -> Bool { isLatestOpen && id == self.id }

  mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard output.isOpen, isCurrent(id) else { return calls.cancel(subscription) }
    if latest.attach(subscription, &calls) { calls.request(subscription, output.unmetDemand) }
  }

  func accepts(from id: UpstreamID) -> Bool {
    output.isOpen && isCurrent(id) && latest.isOpen
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard isCurrent(id), latest.end(&calls) else { return }
    isLatestOpen = false
    end(completion, &calls, isOver: upstream.isEnded)
  }

  mutating func end(_ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls) {
    if upstream.end(&calls) { end(completion, &calls, isOver: !isLatestOpen) }
  }

  private mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls, isOver: Bool
  ) {
    if case .failure = completion {
      cancel(&calls)
      output.complete(completion)
    } else if isOver {
      output.complete(completion)
    }
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if let id, isCurrent(id) { return demand }
    calls.request(latest.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    latest.cancel(&calls)
    upstream.cancel(&calls)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Republishes the values of the most recently received publisher.
  ///
  /// When a new publisher arrives, the subscription to the previous one is cancelled.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Republishes the values of the most recently received publisher, where only the received
  /// publishers can fail.
  ///
  /// When a new publisher arrives, the subscription to the previous one is cancelled.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>>
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Republishes the values of the most recently received publisher, where only this publisher can
  /// fail.
  ///
  /// When a new publisher arrives, the subscription to the previous one is cancelled.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>,
      Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { $0.setFailureType(to: Failure.self) })
  }
}

extension Publisher where Output: Publisher, Failure == Never, Output.Failure == Never {
  /// Republishes the values of the most recently received publisher, where neither this publisher
  /// nor the received publishers can fail.
  ///
  /// When a new publisher arrives, the subscription to the previous one is cancelled.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}
