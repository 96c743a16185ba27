/// The subscriber that a chain has at the publisher that is current.
struct ChainSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Chain = OperatorRunner<
    ChainMachine<Input, Downstream.Failure>, Downstream
  >

  let chain: Chain
  let id: UpstreamID
  /// Told of the end of the publisher, unless the chain is over.
  let ended: @Sendable (Chain, Subscribers.Completion<Failure>) -> Void

  init(
    chain: Chain, id: UpstreamID,
    ended: @escaping @Sendable (Chain, Subscribers.Completion<Failure>) -> Void
  ) {
    self.chain = chain
    self.id = id
    self.ended = ended
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(chain) }

  func receive(subscription: any Subscription) {
    chain.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    chain.offer(input, from: id) { $0.accepts(from: id) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if chain.update({ $0.end(id, &$1) }) { ended(chain, completion) }
  }
}

extension OperatorRunner {
  /// Starts a chain with its first publisher.
  static func start<P: Publisher>(
    _ downstream: Downstream, with publisher: P,
    whenEnded ended: @escaping @Sendable (OperatorRunner, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    let chain = OperatorRunner(downstream, ChainMachine())
    // First of all, so that a long chain of chains need not hand subscriptions down a deep stack.
    chain.connect()
    chain.advance(to: publisher, whenEnded: ended)
  }

  /// Goes on with another publisher, unless downstream has cancelled.
  func advance<P: Publisher>(
    to publisher: P,
    whenEnded ended: @escaping @Sendable (OperatorRunner, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    guard let generation = read({ $0.advance() }) else { return }
    publisher.receive(
      subscriber: ChainSubscriber(
        chain: self, id: UpstreamID(index: 0, generation: generation), ended: ended))
  }

  /// Ends the chain after the values that wait.
  func complete(_ completion: Subscribers.Completion<Downstream.Failure>)
  where Machine == ChainMachine<Downstream.Input, Downstream.Failure> {
    update { machine, _ in machine.output.complete(completion) }
  }
}

/// The state of operators that go on with one publisher after another.
///
/// Demand that one publisher did not meet goes to the next.
struct ChainMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var current = SubscriptionSlot()
  var generation = 0

  /// Goes on with another publisher, which is then connected without the lock.
  mutating func advance() -> Int? {
    guard output.isOpen else { return nil }
    current = SubscriptionSlot()
    generation += 1
    return generation
  }

  mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard output.isOpen, id.generation == generation else { return calls.cancel(subscription) }
    if current.attach(subscription, &calls) { calls.request(subscription, output.unmetDemand) }
  }

  func accepts(from id: UpstreamID) -> Bool {
    output.isOpen && id.generation == generation && current.subscription != nil
  }

  /// Whether this is the end of the publisher that is current.
  mutating func end(_ id: UpstreamID, _ calls: inout PendingCalls) -> Bool {
    guard output.isOpen, id.generation == generation else { return false }
    return current.end(&calls)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if let id, id.generation == generation { return demand }
    calls.request(current.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) { current.cancel(&calls) }
}
