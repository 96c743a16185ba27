/// The state of an operator that joins the values of two publishers.
@usableFromInline protocol PairMachine: JoinMachine {
  /// What the first publisher sends.
  associatedtype Left: Sendable
  /// What the second publisher sends.
  associatedtype Right: Sendable
  /// What a value of the first publisher takes the place of.
  associatedtype DroppedLeft: Sendable
  /// What a value of the second publisher takes the place of.
  associatedtype DroppedRight: Sendable

  var upstreams: Inlets { get set }

  /// What a publisher is asked for when it is connected.
  var firstDemand: Subscribers.Demand { get }

  /// Takes a value of the first publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  mutating func take(left value: Left, _ orders: inout Orders) -> DroppedLeft

  /// Takes a value of the second publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  mutating func take(right value: Right, _ orders: inout Orders) -> DroppedRight

  /// Ends, if what the publishers that have not ended may send makes no difference any more.
  mutating func finishIfOver(_ orders: inout Orders)
}

extension PairMachine {
  @inlinable mutating func attach(
    _ subscription: any Subscription, at side: WritableKeyPath<Inlets, Inlet>,
    _ orders: inout Orders
  ) {
    if upstreams[keyPath: side].attach(subscription, &orders) {
      orders.request(subscription, firstDemand)
    }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>, of side: WritableKeyPath<Inlets, Inlet>,
    _ orders: inout Orders
  ) {
    guard upstreams[keyPath: side].end(&orders) else { return }
    if case .failure = completion {
      cancel(&orders)
      outlet.end(completion)
    } else {
      finishIfOver(&orders)
    }
  }
}

extension Joint where Machine: PairMachine {
  /// Connects to the two publishers, the first one first.
  @inlinable func connect<A: Publisher, B: Publisher>(_ a: A, _ b: B)
  where
    A.Output == Machine.Left, B.Output == Machine.Right, A.Failure == Machine.Failure,
    B.Failure == Machine.Failure
  {
    connect()
    a.receive(subscriber: subscriber(at: \.left) { $0.take(left: $1, &$2) })
    b.receive(subscriber: subscriber(at: \.right) { $0.take(right: $1, &$2) })
  }

  @inlinable func subscriber<Input: Sendable, Dropped: Sendable>(
    at side: any WritableKeyPath<Inlets, Inlet> & Sendable,
    _ take: @escaping @Sendable (inout Machine, Input, inout Orders) -> Dropped
  ) -> AnySubscriber<Input, Machine.Failure> {
    AnySubscriber(
      receiveSubscription: { subscription in
        self.update { $0.attach(subscription, at: side, &$1) }
      },
      receiveValue: { value in
        self.update { take(&$0, value, &$1) }
        return .none
      },
      receiveCompletion: { completion in self.update { $0.end(completion, of: side, &$1) } })
  }
}

/// The two upstreams in the state of an operator that joins two publishers.
@usableFromInline struct Inlets: Sendable {
  @usableFromInline var left = Inlet()
  @usableFromInline var right = Inlet()

  @inlinable init() {}

  @inlinable var areEnded: Bool { left.isEnded && right.isEnded }

  @inlinable mutating func cancel(_ orders: inout Orders) {
    left.cancel(&orders)
    right.cancel(&orders)
  }
}
