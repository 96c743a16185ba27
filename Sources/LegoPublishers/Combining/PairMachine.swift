/// The state of an operator that joins the values of two publishers.
@usableFromInline protocol PairMachine: OperatorMachine {
  /// What the first publisher sends.
  associatedtype Left: Sendable
  /// What the second publisher sends.
  associatedtype Right: Sendable
  /// What a value of the first publisher takes the place of.
  associatedtype DroppedLeft: Sendable
  /// What a value of the second publisher takes the place of.
  associatedtype DroppedRight: Sendable

  var upstreams: SubscriptionPair { get set }

  /// What a publisher is asked for when it is connected.
  var firstDemand: Subscribers.Demand { get }

  /// Takes a value of the first publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  mutating func take(left value: Left, _ calls: inout PendingCalls) -> DroppedLeft

  /// Takes a value of the second publisher.
  ///
  /// - Returns: What is to be freed without the lock.
  mutating func take(right value: Right, _ calls: inout PendingCalls) -> DroppedRight

  /// Ends, if what the publishers that have not ended may send makes no difference any more.
  mutating func finishIfOver(_ calls: inout PendingCalls)
}

extension PairMachine {
  @inlinable mutating func attach(
    _ subscription: any Subscription, at side: WritableKeyPath<SubscriptionPair, SubscriptionSlot>,
    _ calls: inout PendingCalls
  ) {
    if upstreams[keyPath: side].attach(subscription, &calls) {
      calls.request(subscription, firstDemand)
    }
  }

  @inlinable mutating func end(
    _ completion: Subscribers.Completion<Failure>,
    of side: WritableKeyPath<SubscriptionPair, SubscriptionSlot>,
    _ calls: inout PendingCalls
  ) {
    guard upstreams[keyPath: side].end(&calls) else { return }
    if case .failure = completion {
      cancel(&calls)
      output.end(completion)
    } else {
      finishIfOver(&calls)
    }
  }
}

extension OperatorRunner where Machine: PairMachine {
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
    at side: any WritableKeyPath<SubscriptionPair, SubscriptionSlot> & Sendable,
    _ take: @escaping @Sendable (inout Machine, Input, inout PendingCalls) -> Dropped
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
@usableFromInline struct SubscriptionPair: Sendable {
  @usableFromInline var left = SubscriptionSlot()
  @usableFromInline var right = SubscriptionSlot()

  @inlinable init() {}

  @inlinable var areEnded: Bool { left.isEnded && right.isEnded }

  @inlinable mutating func cancel(_ calls: inout PendingCalls) {
    left.cancel(&calls)
    right.cancel(&calls)
  }
}
