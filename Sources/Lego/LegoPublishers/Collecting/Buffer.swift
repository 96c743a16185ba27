extension Publishers {
  /// A strategy for requesting values to fill a buffer.
  public enum PrefetchStrategy: Sendable, Hashable {
    /// Requests as many values as fit in the buffer, and then one more for each value that is sent.
    case keepFull
    /// Requests an unlimited number of values immediately.
    case byRequest
  }

  /// A strategy for handling a value that arrives when the buffer is full.
  public enum BufferingStrategy<Failure: Error>: Sendable {
    /// Drops the new value.
    case dropNewest
    /// Drops the oldest value in the buffer.
    case dropOldest
    /// Fails with the error that the closure returns.
    case customError(@Sendable () -> Failure)
  }

  /// A publisher that buffers values until they are requested, up to a maximum number.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum number of values in the buffer.
    public let size: Int
    /// The strategy for requesting values from the upstream publisher.
    public let prefetch: PrefetchStrategy
    /// The strategy for handling a value that arrives when the buffer is full.
    public let whenFull: BufferingStrategy<Failure>

    /// Creates a publisher that buffers values until they are requested.
    public init(
      upstream: Upstream, size: Int, prefetch: PrefetchStrategy,
      whenFull: BufferingStrategy<Failure>
    ) {
      self.upstream = upstream
      self.size = Swift.max(0, size)
      self.prefetch = prefetch
      self.whenFull = whenFull
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(
        subscriber, BufferMachine<Output, Failure>(size: size, prefetch: prefetch))
      runner.connect(
        to: upstream, requesting: prefetch == .keepFull ? .max(size) : .unlimited,
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
        receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } })
    }
  }

  /// A publisher that collects values into arrays of a fixed size.
  ///
  /// The last array can be shorter. If the upstream publisher fails, the values that do not fill an
  /// array are dropped.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// An array of upstream values.
    public typealias Output = [Upstream.Output]
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The number of values in each array, which is at least one.
    public let count: Int

    /// Creates a publisher that collects values into arrays of the given size.
    ///
    /// A size of less than one is treated as one.
    public init(upstream: Upstream, count: Int) {
      self.upstream = upstream
      self.count = Swift.max(1, count)
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(
        subscriber, BatchMachine<Upstream.Output, Failure>(count: count))
      runner.connect(
        to: upstream,
        receiveValue: { value in
          runner.update { machine, _ in machine.take(value) }
          return .none
        },
        receiveCompletion: { completion in runner.update { $0.end(completion, &$1) } })
    }
  }
}

/// The state of `buffer`, which keeps its values in the output queue.
private struct BufferMachine<Value: Sendable, Failure: Error>: SingleUpstreamMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  let size: Int
  let prefetch: Publishers.PrefetchStrategy

  init(size: Int, prefetch: Publishers.PrefetchStrategy) {
    self.size = size
    self.prefetch = prefetch
  }

  private var isFull: Bool { output.unmetDemand == .none && output.items.count >= size }

  /// Adds a value to the buffer.
  ///
  /// - Returns: `false` if the buffer is full.
  mutating func take(_ value: Value) -> Bool {
    guard acceptsValues else { return true }
    if isFull { return false }
    output.send(value)
    return true
  }

  /// Adds a value to the buffer, and drops the oldest value if the buffer is full.
  ///
  /// - Returns: The dropped value, which the caller releases outside the lock.
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
}

/// The state of `collect(_:)`: the values that do not fill an array yet.
private struct BatchMachine<Element: Sendable, Failure: Error>: SingleUpstreamMachine {
  var output = OutputQueue<[Element], Failure>()
  var upstream = SubscriptionSlot()
  private var batch: [Element] = []
  private let count: Int

  init(count: Int) { self.count = count }

  mutating func take(_ value: Element) {
    guard acceptsValues else { return }
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
  /// Buffers values until they are requested, up to a maximum number.
  ///
  /// - Parameters:
  ///   - size: The maximum number of values in the buffer.
  ///   - prefetch: The strategy for requesting values from this publisher.
  ///   - whenFull: The strategy for handling a value that arrives when the buffer is full.
  /// - Returns: A publisher that sends the buffered values as they are requested.
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy,
    whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }

  /// Collects values into arrays of the given size.
  ///
  /// The last array can be shorter. If the upstream publisher fails, the values that do not fill an
  /// array are dropped. A size of less than one is treated as one.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
