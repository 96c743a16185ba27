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
    @inlinable public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let joint = Joint(subscriber, SwitchMachine<Output, Failure>())
      joint.connect()
      upstream.receive(subscriber: SwitchOuter<NewPublisher, S>(joint: joint))
    }
  }
}

extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Sends what the latest publisher sends, cancelling the one before.
  @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Failure == Never {
  /// Sends what the latest publisher sends, which may fail, cancelling the one before.
  @inlinable public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Output, Publishers.SetFailureType<Self, Output.Failure>
    >
  {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Sends what the latest publisher sends, which cannot fail itself, cancelling the one before.
  @inlinable public func switchToLatest()
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
  @inlinable public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

/// The subscriber that `switchToLatest` has at its upstream.
@usableFromInline struct SwitchOuter<Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Child
  @usableFromInline typealias Failure = Child.Failure

  @usableFromInline let joint: Joint<SwitchMachine<Child.Output, Child.Failure>, Downstream>

  @inlinable init(joint: Joint<SwitchMachine<Child.Output, Child.Failure>, Downstream>) {
    self.joint = joint
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.connect(subscription, &$1) }
  }

  @inlinable func receive(_ child: Child) -> Subscribers.Demand {
    if let ticket = joint.update({ $0.turn(&$1) }) {
      child.receive(subscriber: SwitchInner(joint: joint, source: Source(index: 0, ticket: ticket)))
    }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Child.Failure>) {
    joint.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `switchToLatest` has at each publisher that it turned to.
@usableFromInline struct SwitchInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let joint:
    Joint<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>
  @usableFromInline let source: Source

  @inlinable init(
    joint: Joint<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>, source: Source
  ) {
    self.joint = joint
    self.source = source
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.attach(subscription, of: source, &$1) }
  }

  @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    joint.offer(input, from: source) { $0.accepts(from: source) }
  }

  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    joint.update { $0.end(completion, of: source, &$1) }
  }
}

/// The state of `switchToLatest`: the latest publisher, which alone is listened to.
@usableFromInline struct SwitchMachine<Value: Sendable, Failure: Error>: JoinMachine {
  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var upstream = Inlet()
  @usableFromInline var child = Inlet()
  @usableFromInline var ticket = 0
  /// Whether the latest publisher has not ended.
  @usableFromInline var isChildOpen = false

  @inlinable init() {}

  @inlinable mutating func connect(_ subscription: any Subscription, _ orders: inout Orders) {
    if upstream.attach(subscription, &orders) { orders.request(subscription, .unlimited) }
  }

  /// Turns to another publisher, which is then connected without the lock.
  @inlinable mutating func turn(_ orders: inout Orders) -> Int? {
    guard outlet.isOpen, upstream.subscription != nil else { return nil }
    orders.cancel(child.subscription)
    child = Inlet()
    isChildOpen = true
    ticket += 1
    return ticket
  }

  @inlinable func holds(_ source: Source) -> Bool { isChildOpen && source.ticket == ticket }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, holds(source) else { return orders.cancel(subscription) }
    if child.attach(subscription, &orders) { orders.request(subscription, outlet.room) }
  }

  @inlinable func accepts(from source: Source) -> Bool {
    outlet.isOpen && holds(source) && child.subscription != nil
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of source: Source, _ orders: inout Orders
  ) {
    guard holds(source), child.end(&orders) else { return }
    isChildOpen = false
    end(completion, &orders, isOver: upstream.isEnded)
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    if upstream.end(&orders) { end(completion, &orders, isOver: !isChildOpen) }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders, isOver: Bool
  ) {
    if case .failure = completion {
      cancel(&orders)
      outlet.complete(completion)
    } else if isOver {
      outlet.complete(completion)
    }
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    if let source, holds(source) { return demand }
    orders.request(child.subscription, demand)
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    child.cancel(&orders)
    upstream.cancel(&orders)
  }
}
