extension Publishers {
  /// A publisher that sends what the latest of the publishers it receives sends.
  public struct SwitchToLatest<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where Upstream.Output == NewPublisher, NewPublisher.Failure == Upstream.Failure {
    /// What the publishers send.
    public typealias Output = NewPublisher.Output
    /// How upstream and the publishers fail.
    public typealias Failure = Upstream.Failure

    /// Where the publishers come from.
    public let upstream: Upstream

    /// Creates a publisher of what the latest publisher sends.
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let runner = OperatorRunner(subscriber, SwitchMachine<Output, Failure>())
      runner.connect()
      upstream.receive(subscriber: SwitchOuter<NewPublisher, S>(runner: runner))
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends what the latest publisher sends, cancelling the one before.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Sends what the latest publisher sends, which may fail, cancelling the one before.
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends what the latest publisher sends, which cannot fail itself, cancelling the one before.
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
  /// Sends what the latest publisher sends, cancelling the one before; nothing can fail.
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

/// The subscriber that `switchToLatest` has at its upstream.
struct SwitchOuter<Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  typealias Input = Child
  typealias Failure = Child.Failure

  let runner: OperatorRunner<SwitchMachine<Child.Output, Child.Failure>, Downstream>

  init(runner: OperatorRunner<SwitchMachine<Child.Output, Child.Failure>, Downstream>) {
    self.runner = runner
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.connect(subscription, &$1) }
  }

  func receive(_ child: Child) -> Subscribers.Demand {
    if let generation = runner.update({ $0.switchToNext(&$1) }) {
      child.receive(
        subscriber: SwitchInner(runner: runner, id: UpstreamID(index: 0, generation: generation)))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Child.Failure>) {
    runner.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `switchToLatest` has at each publisher that it turned to.
struct SwitchInner<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>
  let id: UpstreamID

  init(
    runner: OperatorRunner<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>,
    id: UpstreamID
  ) {
    self.runner = runner
    self.id = id
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    runner.offer(input, from: id) { $0.accepts(from: id) }
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    runner.update { $0.end(completion, of: id, &$1) }
  }
}

/// The state of `switchToLatest`: the latest publisher, which alone is listened to.
struct SwitchMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var child = SubscriptionSlot()
  var generation = 0
  /// Whether the latest publisher has not ended.
  var isChildOpen = false

  mutating func connect(_ subscription: any Subscription, _ calls: inout PendingCalls) {
    if upstream.attach(subscription, &calls) { calls.request(subscription, .unlimited) }
  }

  /// Turns to another publisher, which is then connected without the lock.
  mutating func switchToNext(_ calls: inout PendingCalls) -> Int? {
    guard output.isOpen, upstream.subscription != nil else { return nil }
    calls.cancel(child.subscription)
    child = SubscriptionSlot()
    isChildOpen = true
    generation += 1
    return generation
  }

  func isCurrent(_ id: UpstreamID) -> Bool { isChildOpen && id.generation == generation }

  mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard output.isOpen, isCurrent(id) else { return calls.cancel(subscription) }
    if child.attach(subscription, &calls) { calls.request(subscription, output.unmetDemand) }
  }

  func accepts(from id: UpstreamID) -> Bool {
    output.isOpen && isCurrent(id) && child.subscription != nil
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard isCurrent(id), child.end(&calls) else { return }
    isChildOpen = false
    end(completion, &calls, isOver: upstream.isEnded)
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) {
    if upstream.end(&calls) { end(completion, &calls, isOver: !isChildOpen) }
  }

  mutating func end(
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
    calls.request(child.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    child.cancel(&calls)
    upstream.cancel(&calls)
  }
}
