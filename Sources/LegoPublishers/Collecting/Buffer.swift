extension Publishers {
  /// When a buffer asks upstream for values.
  public enum PrefetchStrategy: Sendable, Hashable {
    /// As many as fit in at first, and then one for each that is sent.
    case keepFull
    /// All, at once.
    case byRequest
  }

  /// What a full buffer does.
  public enum BufferingStrategy<Failure: Error>: Sendable {
    /// It drops the value that comes.
    case dropNewest
    /// It drops the value that has waited longest.
    case dropOldest
    /// It fails with the error that the closure makes.
    case customError(@Sendable () -> Failure)
  }

  /// A publisher that keeps values until they are wanted, up to a limit.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails, and perhaps a full buffer.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are kept.
    public let size: Int
    /// When upstream is asked.
    public let prefetch: PrefetchStrategy
    /// What happens when there is no room.
    public let whenFull: BufferingStrategy<Failure>

    /// Creates a publisher that keeps values until they are wanted.
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>
    ) {
      self.upstream = upstream
      self.size = Swift.max(0, size)
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let runner = OperatorRunner(
        subscriber, BufferMachine<Output, Failure>(size: size, prefetch: prefetch))
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { [self] subscription in
            guard runner.update({ $0.upstream.attach(subscription, &$1) }) else { return }
            runner.connect()
            subscription.request(prefetch == .keepFull ? .max(size) : .unlimited)
          },
          receiveValue: { [whenFull] value in
            switch whenFull {
            case .dropNewest:
              runner.update { machine, _ in _ = machine.take(value) }
            case .dropOldest:
              runner.update { machine, _ in machine.takeDroppingOldest(value) }
            case .customError(let error):
              if !runner.update({ machine, _ in machine.take(value) }) {
                runner.update { $0.stop(error(), &$1) }
              }
            }
            return .none
          },
          receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } }))
    }
  }
}

/// The state of `buffer`: the values that wait in its outlet.
struct BufferMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  let size: Int
  let prefetch: Publishers.PrefetchStrategy

  init(size: Int, prefetch: Publishers.PrefetchStrategy) {
    self.size = size
    self.prefetch = prefetch
  }

  private var isFull: Bool { output.unmetDemand == .none && output.items.count >= size }

  /// Keeps a value.
  ///
  /// - Returns: Whether there was room.
  mutating func take(_ value: Value) -> Bool {
    guard upstream.subscription != nil, output.isOpen else { return true }
    if isFull { return false }
    output.send(value)
    return true
  }

  /// Keeps a value.
  ///
  /// - Returns: The one that made room for it.
  mutating func takeDroppingOldest(_ value: Value) -> Value? {
    if take(value) { return nil }
    guard let oldest = output.items.popFirst() else { return value }
    output.send(value)
    return oldest.value
  }

  mutating func end(_ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls) {
    if upstream.end(&calls) { output.complete(completion) }
  }

  mutating func stop(_ error: Failure, _ calls: inout PendingCalls) {
    guard output.isOpen else { return }
    upstream.cancel(&calls)
    output.complete(.failure(error))
  }

  mutating func delivered(
    from id: UpstreamID, isAnswered: Bool, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if prefetch == .keepFull { calls.request(upstream.subscription, .max(1)) }
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) { upstream.cancel(&calls) }
}

extension Publisher {
  /// Keeps values until they are wanted, up to a limit.
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// A publisher of arrays of so many values, the last of which may have fewer.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// So many values.
    public typealias Output = [Upstream.Output]
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How many values make an array, at least one.
    public let count: Int

    /// Creates a publisher of arrays.
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = Swift.max(1, count)
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let runner = OperatorRunner(subscriber, BatchMachine<Upstream.Output, Failure>(count: count))
      upstream.receive(
        subscriber: AnySubscriber<Upstream.Output, Failure>(
          receiveSubscription: { subscription in
            if runner.update({ $0.upstream.attach(subscription, &$1) }) { runner.connect() }
          },
          receiveValue: { value in
            runner.update { machine, _ in machine.take(value) }
            return .none
          },
          receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } }))
    }
  }
}

/// The state of `collect(_:)`: the values that do not fill an array yet.
struct BatchMachine<Element: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<[Element], Failure>()
  var upstream = SubscriptionSlot()
  var batch: [Element] = []
  let count: Int

  init(count: Int) {
    self.count = count
  }

  mutating func take(_ value: Element) {
    guard upstream.subscription != nil, output.isOpen else { return }
    batch.append(value)
    if batch.count >= count { send() }
  }

  private mutating func send() {
    output.send(batch)
    batch = []
  }

  mutating func end(_ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls) {
    guard upstream.end(&calls) else { return }
    if case .finished = completion, !batch.isEmpty { send() }
    output.complete(completion)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    calls.request(upstream.subscription, demand * count)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    calls.release(batch)
    batch = []
  }
}

extension Publisher {
  /// Sends arrays of so many values, the last of which may have fewer.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
