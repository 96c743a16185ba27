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
    @preconcurrency public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let runner = OperatorRunner(
        subscriber, FlatMapMachine<Output, Failure>(limit: maxPublishers))
      runner.connect()
      upstream.receive(
        subscriber: FlatMapOuter<Upstream.Output, NewPublisher, S>(runner, transform))
    }
  }
}

extension Publisher {
  /// Makes a publisher of each value and sends what all of them send.
  @preconcurrency public func flatMap<P: Publisher>(
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
  @preconcurrency public func flatMap<P: Publisher>(
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
  @preconcurrency public func flatMap<P: Publisher>(
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
  @preconcurrency public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

/// The subscriber that `flatMap` has at its upstream.
struct FlatMapOuter<Input: Sendable, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  typealias Failure = Child.Failure
  typealias Machine = FlatMapMachine<Child.Output, Child.Failure>

  let runner: OperatorRunner<Machine, Downstream>
  let transform: @Sendable (Input) -> Child

  init(
    _ runner: OperatorRunner<Machine, Downstream>, _ transform: @escaping @Sendable (Input) -> Child
  ) {
    self.runner = runner
    self.transform = transform
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.connect(subscription, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    guard let id = runner.read({ $0.open() }) else { return .none }
    transform(input).receive(subscriber: FlatMapInner(runner, id))
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    runner.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `flatMap` has at each publisher that it made.
struct FlatMapInner<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure
  typealias Machine = FlatMapMachine<Input, Failure>

  let runner: OperatorRunner<Machine, Downstream>
  let id: UpstreamID

  init(_ runner: OperatorRunner<Machine, Downstream>, _ id: UpstreamID) {
    self.runner = runner
    self.id = id
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    runner.offer(input, from: id) { $0.accept(from: id) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    runner.update { $0.end(completion, of: id, &$1) }
  }
}

/// The state of `flatMap`: the publishers made so far, and what of theirs waits.
///
/// Each made publisher is asked for one value at a time, or for everything once downstream wants
/// everything. One that has ended keeps its place until downstream has taken its last value, so
/// that no more than the limit of values ever wait.
struct FlatMapMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  /// The place of a made publisher.
  struct Child: Sendable {
    var generation = 0
    var upstream = SubscriptionSlot()
    var isTaken = false
    var isUnlimited = false
    /// How many of its values wait.
    var waiting = 0
  }

  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var children: [Child] = []
  var free: [Int] = []
  var lastGeneration = 0
  let limit: Subscribers.Demand

  init(limit: Subscribers.Demand) {
    self.limit = limit
  }

  mutating func connect(_ subscription: any Subscription, _ calls: inout PendingCalls) {
    if upstream.attach(subscription, &calls) { calls.request(subscription, limit) }
  }

  /// Takes a place for a publisher, which is then made and connected without the lock.
  mutating func open() -> UpstreamID? {
    guard output.isOpen, upstream.subscription != nil else { return nil }
    lastGeneration += 1
    let index: Int
    if let last = free.popLast() {
      index = last
    } else {
      index = children.count
      children.append(Child())
    }
    children[index].generation = lastGeneration
    children[index].isTaken = true
    return UpstreamID(index: index, generation: lastGeneration)
  }

  func isCurrent(_ id: UpstreamID) -> Bool {
    id.index < children.count && children[id.index].generation == id.generation
      && children[id.index].isTaken
  }

  mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard output.isOpen, isCurrent(id) else { return calls.cancel(subscription) }
    guard children[id.index].upstream.attach(subscription, &calls) else { return }
    children[id.index].isUnlimited = output.demand == .unlimited
    calls.request(subscription, output.demand == .unlimited ? .unlimited : .max(1))
  }

  /// Takes a value into account that is sent now or later.
  mutating func accept(from id: UpstreamID) -> Bool {
    guard output.isOpen, isCurrent(id), children[id.index].upstream.subscription != nil else {
      return false
    }
    children[id.index].waiting += 1
    return true
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard isCurrent(id), children[id.index].upstream.end(&calls) else { return }
    if case .failure = completion { return fail(completion, &calls) }
    if children[id.index].waiting == 0 { release(id.index, &calls) }
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) {
    guard upstream.end(&calls) else { return }
    if case .failure = completion { return fail(completion, &calls) }
    finishIfOver()
  }

  mutating func fail(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) {
    cancel(&calls)
    output.end(completion)
  }

  /// Frees a place, for which upstream may send another value.
  mutating func release(_ index: Int, _ calls: inout PendingCalls) {
    children[index] = Child()
    free.append(index)
    if limit < .unlimited { calls.request(upstream.subscription, .max(1)) }
    finishIfOver()
  }

  mutating func finishIfOver() {
    if upstream.isEnded, free.count == children.count { output.complete(.finished) }
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    guard output.demand == .unlimited else { return .none }
    var answer = Subscribers.Demand.none
    for index in children.indices where children[index].isTaken && !children[index].isUnlimited {
      guard let subscription = children[index].upstream.subscription else { continue }
      children[index].isUnlimited = true
      if children[index].generation == id?.generation {
        answer = .unlimited
      } else {
        calls.request(subscription, .unlimited)
      }
    }
    return answer
  }

  mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    guard isCurrent(id) else { return .none }
    children[id.index].waiting -= 1
    if children[id.index].upstream.isEnded {
      if children[id.index].waiting == 0 { release(id.index, &calls) }
      return .none
    }
    if children[id.index].isUnlimited { return .none }
    if isAnswered { return .max(1) }
    calls.request(children[id.index].upstream.subscription, .max(1))
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    for index in children.indices where children[index].isTaken {
      children[index].upstream.cancel(&calls)
    }
    upstream.cancel(&calls)
    children = []
    free = []
  }
}
