extension Publishers {
  /// A publisher that sends what the publishers made of each value send.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// What the made publishers send.
    public typealias Output = NewPublisher.Output
    /// How upstream and the made publishers fail.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many made publishers may be under way at a time.
    public let maxPublishers: Subscribers.Demand
    /// Makes a publisher of a value.
    public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Creates a publisher of what the made publishers send.
    @preconcurrency @inlinable public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Connects a subscriber.
    @inlinable public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let joint = Joint(
        subscriber, FlatMapMachine<Output, Failure>(limit: maxPublishers))
      joint.connect()
      upstream.receive(
        subscriber: FlatMapOuter<Upstream.Output, NewPublisher, S>(joint, transform))
    }
  }
}

extension Publisher {
  /// Makes a publisher of each value and sends what all of them send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Mixes what the publishers made of each value send, which cannot fail themselves.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  /// Mixes what the publishers made of each value send, which may fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send, which fails as soon as one of them does.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Mixes what the publishers made of each value send; nothing can fail.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many of them may run at a time.
  ///   - transform: Makes a publisher of a value.
  /// - Returns: A publisher of what they send.
  @preconcurrency @inlinable public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

/// The subscriber that `flatMap` has at its upstream.
@usableFromInline
struct FlatMapOuter<Input: Sendable, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Child.Failure
  @usableFromInline typealias Machine = FlatMapMachine<Child.Output, Child.Failure>

  @usableFromInline let joint: Joint<Machine, Downstream>
  @usableFromInline let transform: @Sendable (Input) -> Child

  @inlinable init(
    _ joint: Joint<Machine, Downstream>, _ transform: @escaping @Sendable (Input) -> Child
  ) {
    self.joint = joint
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.connect(subscription, &$1) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard let source = joint.read({ $0.open() }) else { return .none }
    transform(input).receive(subscriber: FlatMapInner(joint, source))
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    joint.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `flatMap` has at each publisher that it made.
@usableFromInline struct FlatMapInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Machine = FlatMapMachine<Input, Failure>

  @usableFromInline let joint: Joint<Machine, Downstream>
  @usableFromInline let source: Source

  @inlinable init(_ joint: Joint<Machine, Downstream>, _ source: Source) {
    self.joint = joint
    self.source = source
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.attach(subscription, of: source, &$1) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    joint.offer(input, from: source) { $0.accept(from: source) }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    joint.update { $0.end(completion, of: source, &$1) }
  }
}

/// The state of `flatMap`: the publishers made so far, and what of theirs waits.
///
/// Each made publisher is asked for one value at a time, or for everything once downstream wants
/// everything. One that has ended keeps its place until downstream has taken its last value, so
/// that no more than the limit of values ever wait.
@usableFromInline struct FlatMapMachine<Value: Sendable, Failure: Error>: JoinMachine {
  /// The place of a made publisher.
  @usableFromInline struct Slot: Sendable {
    @usableFromInline var ticket = 0
    @usableFromInline var inlet = Inlet()
    @usableFromInline var isTaken = false
    @usableFromInline var isUnlimited = false
    /// How many of its values wait.
    @usableFromInline var waiting = 0

    @inlinable init() {}
  }

  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var upstream = Inlet()
  @usableFromInline var slots: [Slot] = []
  @usableFromInline var free: [Int] = []
  @usableFromInline var tickets = 0
  @usableFromInline let limit: Subscribers.Demand

  @inlinable init(limit: Subscribers.Demand) {
    self.limit = limit
  }

  @inlinable mutating func connect(_ subscription: any Subscription, _ orders: inout Orders) {
    if upstream.attach(subscription, &orders) { orders.request(subscription, limit) }
  }

  /// Takes a place for a publisher, which is then made and connected without the lock.
  @inlinable mutating func open() -> Source? {
    guard outlet.isOpen, upstream.subscription != nil else { return nil }
    tickets += 1
    let index: Int
    if let last = free.popLast() {
      index = last
    } else {
      index = slots.count
      slots.append(Slot())
    }
    slots[index].ticket = tickets
    slots[index].isTaken = true
    return Source(index: index, ticket: tickets)
  }

  @inlinable func holds(_ source: Source) -> Bool {
    source.index < slots.count && slots[source.index].ticket == source.ticket
      && slots[source.index].isTaken
  }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, holds(source) else { return orders.cancel(subscription) }
    guard slots[source.index].inlet.attach(subscription, &orders) else { return }
    slots[source.index].isUnlimited = outlet.demand == .unlimited
    orders.request(subscription, outlet.demand == .unlimited ? .unlimited : .max(1))
  }

  /// Takes a value into account that is sent now or later.
  @inlinable mutating func accept(from source: Source) -> Bool {
    guard outlet.isOpen, holds(source), slots[source.index].inlet.subscription != nil else {
      return false
    }
    slots[source.index].waiting += 1
    return true
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of source: Source, _ orders: inout Orders
  ) {
    guard holds(source), slots[source.index].inlet.end(&orders) else { return }
    if case .failure = completion { return fail(completion, &orders) }
    if slots[source.index].waiting == 0 { release(source.index, &orders) }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    guard upstream.end(&orders) else { return }
    if case .failure = completion { return fail(completion, &orders) }
    finishIfOver()
  }

  @inlinable mutating func fail(
    _ completion: Subscribers.Completion<Failure>, _ orders: inout Orders
  ) {
    cancel(&orders)
    outlet.end(completion)
  }

  /// Frees a place, for which upstream may send another value.
  @inlinable mutating func release(_ index: Int, _ orders: inout Orders) {
    slots[index] = Slot()
    free.append(index)
    if limit < .unlimited { orders.request(upstream.subscription, .max(1)) }
    finishIfOver()
  }

  @inlinable mutating func finishIfOver() {
    if upstream.isEnded, free.count == slots.count { outlet.complete(.finished) }
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    guard outlet.demand == .unlimited else { return .none }
    var answer = Subscribers.Demand.none
    for index in slots.indices where slots[index].isTaken && !slots[index].isUnlimited {
      guard let subscription = slots[index].inlet.subscription else { continue }
      slots[index].isUnlimited = true
      if slots[index].ticket == source?.ticket {
        answer = .unlimited
      } else {
        orders.request(subscription, .unlimited)
      }
    }
    return answer
  }

  @inlinable mutating func delivered(
    from source: Source, isAnswered: Bool, _ orders: inout Orders
  ) -> Subscribers.Demand {
    guard holds(source) else { return .none }
    slots[source.index].waiting -= 1
    if slots[source.index].inlet.isEnded {
      if slots[source.index].waiting == 0 { release(source.index, &orders) }
      return .none
    }
    if slots[source.index].isUnlimited { return .none }
    if isAnswered { return .max(1) }
    orders.request(slots[source.index].inlet.subscription, .max(1))
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    for index in slots.indices where slots[index].isTaken {
      slots[index].inlet.cancel(&orders)
    }
    upstream.cancel(&orders)
    slots = []
    free = []
  }
}
