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
      let joint = Joint(subscriber, BatchMachine<Upstream.Output, Failure>(count: count))
      upstream.receive(
        subscriber: AnySubscriber<Upstream.Output, Failure>(
          receiveSubscription: { subscription in
            if joint.update({ $0.upstream.attach(subscription, &$1) }) { joint.connect() }
          },
          receiveValue: { value in
            joint.update { machine, _ in machine.take(value) }
            return .none
          },
          receiveCompletion: { completion in joint.update { $0.end(completion, &$1) } }))
    }
  }
}

/// The state of `collect(_:)`: the values that do not fill an array yet.
struct BatchMachine<Element: Sendable, Failure: Error>: JoinMachine {
  var outlet = Outlet<[Element], Failure>()
  var upstream = Inlet()
  var batch: [Element] = []
  let count: Int

  init(count: Int) {
    self.count = count
  }

  mutating func take(_ value: Element) {
    guard upstream.subscription != nil, outlet.isOpen else { return }
    batch.append(value)
    if batch.count >= count { send() }
  }

  private mutating func send() {
    outlet.send(batch)
    batch = []
  }

  mutating func end(_ completion: Subscribers.Completion<Failure>, _ orders: inout Orders) {
    guard upstream.end(&orders) else { return }
    if case .finished = completion, !batch.isEmpty { send() }
    outlet.complete(completion)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    orders.request(upstream.subscription, demand * count)
    return .none
  }

  mutating func cancel(_ orders: inout Orders) {
    upstream.cancel(&orders)
    orders.drop(batch)
    batch = []
  }
}

extension Publisher {
  /// Sends arrays of so many values, the last of which may have fewer.
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}
