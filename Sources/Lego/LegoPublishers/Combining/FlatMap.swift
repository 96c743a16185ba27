extension Publishers {
  /// A publisher that transforms each upstream value into a publisher, and merges the values of
  /// those publishers.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// The output type of the publishers that the closure returns.
    public typealias Output = NewPublisher.Output
    /// The failure type of the upstream publisher and of the publishers that the closure returns.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum number of publishers to merge at the same time.
    public let maxPublishers: Subscribers.Demand
    /// A closure that transforms a value into a publisher.
    public let transform: @Sendable (Upstream.Output) -> NewPublisher

    /// Creates a publisher that transforms each upstream value into a publisher, and merges the
    /// values of those publishers.
    @preconcurrency public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping @Sendable (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(
        subscriber, FlatMapMachine<Output, Failure>(limit: maxPublishers))
      runner.connect()
      upstream.receive(
        subscriber: AnySubscriber<Upstream.Output, Failure>(
          receiveSubscription: { subscription in
            runner.callUpstream { $0.connect(subscription, &$1) }
          },
          receiveValue: { [transform] value in
            guard let id = runner.read({ $0.open() }) else { return .none }
            transform(value).receive(subscriber: FlatMapSubscriber(runner: runner, id: id))
            return .none
          },
          receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } }))
    }
  }
}

/// The subscriber that `flatMap` attaches to each publisher that the closure returns.
private struct FlatMapSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<FlatMapMachine<Input, Failure>, Downstream>
  let id: UpstreamID

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  func receive(subscription: any Subscription) {
    runner.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    runner.send(input, from: id) { $0.accept(from: id) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    runner.update { $0.end(completion, of: id, &$1) }
  }
}

/// The state of `flatMap`: the publishers that the closure returned, and their queued values.
///
/// The operator requests one value at a time from each publisher, or an unlimited number once
/// downstream has unlimited demand. A publisher that has ended keeps its entry until downstream has
/// received its last value. Unless the demand is unlimited, the number of queued values therefore
/// never exceeds `limit`.
private struct FlatMapMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  /// The entry for a publisher that the closure returned.
  struct Child: Sendable {
    var generation = 0
    var upstream = SubscriptionSlot()
    var isTaken = false
    var isUnlimited = false
    /// The number of values that downstream has not received yet.
    var waiting = 0
  }

  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var children: [Child] = []
  /// The indices of the unused entries.
  var free: [Int] = []
  var lastGeneration = 0
  let limit: Subscribers.Demand

  init(limit: Subscribers.Demand) { self.limit = limit }

  mutating func connect(_ subscription: any Subscription, _ calls: inout PendingCalls) {
    if upstream.attach(subscription, &calls) { calls.request(subscription, limit) }
  }

  /// Adds an entry for a publisher that the caller creates and subscribes to outside the lock.
  ///
  /// - Returns: The identifier of the entry, or `nil` if the operator or its upstream has ended.
  mutating func open() -> UpstreamID? {
    guard output.isOpen, upstream.subscription != nil else { return nil }
    lastGeneration += 1
    let index = free.popLast() ?? children.count
    if index == children.count { children.append(Child()) }
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

  /// Counts a value that is about to be sent downstream, unless the value must be ignored.
  ///
  /// - Returns: `false` if the value must be ignored.
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
    if children[id.index].waiting == 0 { remove(id.index, &calls) }
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) {
    guard upstream.end(&calls) else { return }
    if case .failure = completion { return fail(completion, &calls) }
    finishIfOver()
  }

  private mutating func fail(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) {
    cancel(&calls)
    output.end(completion)
  }

  /// Removes an entry, and requests one more value from upstream if the number of publishers is
  /// limited.
  private mutating func remove(_ index: Int, _ calls: inout PendingCalls) {
    children[index] = Child()
    free.append(index)
    if limit < .unlimited { calls.request(upstream.subscription, .max(1)) }
    finishIfOver()
  }

  private mutating func finishIfOver() {
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
      if children[id.index].waiting == 0 { remove(id.index, &calls) }
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

extension Publisher {
  /// Transforms each value into a publisher, and merges the values of those publishers.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers to merge at the same time.
  ///   - transform: A closure that transforms a value into a publisher.
  /// - Returns: A publisher that sends the merged values, and fails as soon as this publisher or
  ///   one of the merged publishers fails.
  @preconcurrency public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }

  /// Transforms each value into a publisher that cannot fail, and merges the values of those
  /// publishers.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers to merge at the same time.
  ///   - transform: A closure that transforms a value into a publisher.
  /// - Returns: A publisher that sends the merged values, and fails as soon as this publisher
  ///   fails.
  @preconcurrency public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    flatMap(maxPublishers: maxPublishers) { transform($0).setFailureType(to: Failure.self) }
  }
}

extension Publisher where Failure == Never {
  /// Transforms each value into a publisher that can fail, and merges the values of those
  /// publishers.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers to merge at the same time.
  ///   - transform: A closure that transforms a value into a publisher.
  /// - Returns: A publisher that sends the merged values, and fails as soon as one of the merged
  ///   publishers fails.
  @preconcurrency public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    setFailureType(to: P.Failure.self).flatMap(maxPublishers: maxPublishers, transform)
  }

  /// Transforms each value into a publisher that cannot fail, and merges the values of those
  /// publishers.
  ///
  /// - Parameters:
  ///   - maxPublishers: The maximum number of publishers to merge at the same time.
  ///   - transform: A closure that transforms a value into a publisher.
  /// - Returns: A publisher that sends the merged values and cannot fail.
  @preconcurrency public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited,
    _ transform: @escaping @Sendable (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}
