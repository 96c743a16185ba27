/// The state machine for operators that subscribe to one publisher after another.
///
/// If a publisher ends before it has met the demand, the remaining demand is passed to the next
/// publisher.
struct ChainMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var current = SubscriptionSlot()
  var id = UpstreamID()

  /// Continues with the next publisher, to which the caller subscribes outside the lock.
  ///
  /// - Returns: The identifier of the next publisher, or `nil` if the chain has ended.
  mutating func advance() -> UpstreamID? {
    guard output.isOpen else { return nil }
    current = SubscriptionSlot()
    id.generation += 1
    return id
  }

  mutating func attach(
    _ subscription: any Subscription, of id: UpstreamID, _ calls: inout PendingCalls
  ) {
    guard output.isOpen, id == self.id else { return calls.cancel(subscription) }
    if current.attach(subscription, &calls) { calls.request(subscription, output.unmetDemand) }
  }

  func accepts(from id: UpstreamID) -> Bool {
    output.isOpen && id == self.id && current.isOpen
  }

  /// Records that a publisher has ended.
  ///
  /// - Returns: `false` if the publisher is not the current one or has already ended.
  mutating func end(_ id: UpstreamID, _ calls: inout PendingCalls) -> Bool {
    guard output.isOpen, id == self.id else { return false }
    return current.end(&calls)
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    if id == self.id { return demand }
    calls.request(current.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) { current.cancel(&calls) }
}

/// The subscriber that a chain attaches to each of its publishers.
private struct ChainSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Chain = OperatorRunner<ChainMachine<Input, Downstream.Failure>, Downstream>

  let chain: Chain
  let id: UpstreamID
  /// A closure that receives the completion of the publisher, unless the chain has ended.
  let ended: @Sendable (Chain, Subscribers.Completion<Failure>) -> Void

  var combineIdentifier: CombineIdentifier { CombineIdentifier(chain) }

  func receive(subscription: any Subscription) {
    chain.callUpstream { $0.attach(subscription, of: id, &$1) }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    chain.send(input, from: id) { $0.accepts(from: id) }
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if chain.update({ $0.end(id, &$1) }) { ended(chain, completion) }
  }
}

extension OperatorRunner {
  /// Starts a chain, and subscribes to its first publisher.
  static func start<P: Publisher>(
    _ downstream: Downstream, with publisher: P,
    whenEnded ended: @escaping @Sendable (OperatorRunner, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    let chain = OperatorRunner(downstream, ChainMachine())
    // The subscription is sent first, because otherwise a long chain of chains would need a deep
    // stack.
    chain.connect()
    chain.advance(to: publisher, whenEnded: ended)
  }

  /// Subscribes to the next publisher, unless the chain has ended.
  func advance<P: Publisher>(
    to publisher: P,
    whenEnded ended: @escaping @Sendable (OperatorRunner, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    guard let id = read({ $0.advance() }) else { return }
    publisher.receive(subscriber: ChainSubscriber(chain: self, id: id, ended: ended))
  }

  /// Ends the chain with a completion after all queued values have been sent.
  func complete(_ completion: Subscribers.Completion<Downstream.Failure>)
  where Machine == ChainMachine<Downstream.Input, Downstream.Failure> {
    update { machine, _ in machine.output.complete(completion) }
  }
}
