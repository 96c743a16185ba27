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
    @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(
        subscriber, FlatMapMachine<Output, Failure>(limit: maxPublishers))
      runner.connect()
      upstream.receive(
        subscriber: AnySubscriber<Upstream.Output, Failure>(
          receiveSubscription: { subscription in
            runner.callUpstream { $0.inputs.connect(subscription, &$1) }
          },
          receiveValue: { [transform] value in
            guard let id = runner.read({ $0.inputs.open() }) else { return .none }
            // A publisher that is not specialized would call the methods of a generic subscriber
            // unspecialized, but these closures are specialized here.
            transform(value).receive(
              subscriber: AnySubscriber<Output, Failure>(
                receiveSubscription: { subscription in
                  runner.callUpstream {
                    $0.inputs.attach(subscription, of: id, demand: $0.output.demand, &$1)
                  }
                },
                receiveValue: { runner.send($0, from: id) { $0.inputs.accept(from: id) } },
                receiveCompletion: { completion in
                  runner.update { $0.end(completion, of: id, &$1) }
                }))
            return .none
          },
          receiveCompletion: { completion in runner.update { $0.end(completion, of: nil, &$1) } }))
    }
  }
}

/// The state of `flatMap`: its publishers, and their queued values.
@usableFromInline struct FlatMapMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  @usableFromInline var output = OutputQueue<Value, Failure>()
  @usableFromInline var inputs: FlatMapInputs

  @usableFromInline init(limit: Subscribers.Demand) { inputs = FlatMapInputs(limit: limit) }

  /// Records that a publisher has ended.
  ///
  /// - Parameters:
  ///   - completion: The completion of the publisher.
  ///   - id: The publisher, or `nil` for the upstream publisher.
  ///   - calls: Collects the calls to make to publishers.
  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of id: UpstreamID?, _ calls: inout PendingCalls
  ) {
    let isFailure = if case .failure = completion { true } else { false }
    guard inputs.end(id, isFailure: isFailure, &calls) else { return }
    if isFailure {
      output.end(completion)
    } else if inputs.areOver {
      output.complete(.finished)
    }
  }

  @usableFromInline mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    output.demand == .unlimited ? inputs.requestAll(answering: id, &calls) : .none
  }

  @inlinable mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    let answer = inputs.delivered(from: id, isAnswered: isAnswered, &calls)
    if inputs.areOver { output.complete(.finished) }
    return answer
  }

  @usableFromInline mutating func cancel(_ calls: inout PendingCalls) { inputs.cancel(&calls) }
}

/// The upstream publisher of `flatMap`, and the publishers that its closure returned.
///
/// The operator requests one value at a time from each publisher, or an unlimited number once
/// downstream has unlimited demand. A publisher that has ended keeps its entry until downstream has
/// received its last value. Unless the demand is unlimited, the number of queued values therefore
/// never exceeds `limit`.
@usableFromInline struct FlatMapInputs: Sendable {
  /// The entry for a publisher that the closure returned.
  private struct Child: Sendable {
    /// The generation of the publisher, or 0 if the entry is unused.
    var generation = 0
    var upstream = SubscriptionSlot()
    var isUnlimited = false
    /// The number of values that downstream has not received yet.
    var waiting = 0
  }

  private var upstream = SubscriptionSlot()
  private var children: [Child] = []
  /// The indices of the unused entries.
  private var free: [Int] = []
  private var lastGeneration = 0
  private let limit: Subscribers.Demand

  init(limit: Subscribers.Demand) { self.limit = limit }

  /// A Boolean value that indicates whether upstream has ended and no entry is left.
  @usableFromInline var areOver: Bool { upstream.isEnded && free.count == children.count }

  @usableFromInline mutating func connect(
    _ subscription: any Subscription, _ calls: inout PendingCalls
  ) {
    if upstream.attach(subscription, &calls) { calls.request(subscription, limit) }
  }

  /// Adds an entry for a publisher that the caller creates and subscribes to outside the lock.
  ///
  /// - Returns: The identifier of the entry, or `nil` if the operator or its upstream has ended.
  @usableFromInline mutating func open() -> UpstreamID? {
    guard upstream.isOpen else { return nil }
    lastGeneration += 1
    let index = free.popLast() ?? children.count
    if index == children.count { children.append(Child()) }
    children[index].generation = lastGeneration
    return UpstreamID(index: index, generation: lastGeneration)
  }

  private func isCurrent(_ id: UpstreamID) -> Bool {
    id.index < children.count && children[id.index].generation == id.generation
  }

  /// Stores the subscription of an entry, and requests values.
  @usableFromInline mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, demand: Subscribers.Demand,
    _ calls: inout PendingCalls
  ) {
    guard isCurrent(id) else { return calls.cancel(subscription) }
    guard children[id.index].upstream.attach(subscription, &calls) else { return }
    children[id.index].isUnlimited = demand == .unlimited
    calls.request(subscription, demand == .unlimited ? .unlimited : .max(1))
  }

  /// Counts a value that is about to be sent downstream, unless the value must be ignored.
  ///
  /// - Returns: `false` if the value must be ignored.
  @usableFromInline mutating func accept(from id: UpstreamID) -> Bool {
    guard isCurrent(id), children[id.index].upstream.isOpen else { return false }
    children[id.index].waiting += 1
    return true
  }

  /// Records that a publisher has ended, and cancels the others if it has failed.
  ///
  /// - Returns: `false` if the publisher had already ended or was cancelled.
  @usableFromInline mutating func end(
    _ id: UpstreamID?, isFailure: Bool, _ calls: inout PendingCalls
  ) -> Bool {
    if let id {
      guard isCurrent(id), children[id.index].upstream.end(&calls) else { return false }
      if !isFailure { removeIfDone(id.index, &calls) }
    } else {
      guard upstream.end(&calls) else { return false }
    }
    if isFailure { cancel(&calls) }
    return true
  }

  /// Removes an entry whose publisher has ended and whose values have all been received, and
  /// requests one more value from upstream if the number of publishers is limited.
  private mutating func removeIfDone(_ index: Int, _ calls: inout PendingCalls) {
    guard children[index].waiting == 0 else { return }
    children[index] = Child()
    free.append(index)
    if limit < .unlimited { calls.request(upstream.subscription, .max(1)) }
  }

  /// Requests an unlimited number of values from each publisher.
  ///
  /// - Returns: The demand to return to the waiting publisher.
  mutating func requestAll(
    answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    var answer = Subscribers.Demand.none
    for index in children.indices where !children[index].isUnlimited {
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

  /// Records that downstream has received a value.
  ///
  /// - Returns: The demand to return to the waiting publisher.
  @usableFromInline mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    guard isCurrent(id) else { return .none }
    children[id.index].waiting -= 1
    if children[id.index].upstream.isEnded {
      removeIfDone(id.index, &calls)
      return .none
    }
    if children[id.index].isUnlimited { return .none }
    if isAnswered { return .max(1) }
    calls.request(children[id.index].upstream.subscription, .max(1))
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    for index in children.indices {
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
