/// The subscriber that a chain has at the publisher that is current.
@usableFromInline struct ChainSubscriber<Failure: Error, Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Chain = Joint<ChainMachine<Input, Downstream.Failure>, Downstream>

  @usableFromInline let chain: Chain
  @usableFromInline let source: Source
  /// Told of the end of the publisher, unless the chain is over.
  @usableFromInline let ended: @Sendable (Chain, Subscribers.Completion<Failure>) -> Void

  @inlinable init(
    chain: Chain, source: Source,
    ended: @escaping @Sendable (Chain, Subscribers.Completion<Failure>) -> Void
  ) {
    self.chain = chain
    self.source = source
    self.ended = ended
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(chain) }

  @inlinable func receive(subscription: any Subscription) {
    chain.order { $0.attach(subscription, of: source, &$1) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    chain.offer(input, from: source) { $0.accepts(from: source) }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    if chain.update({ $0.end(source, &$1) }) { ended(chain, completion) }
  }
}

extension Joint {
  /// Starts a chain with its first publisher.
  @inlinable static func start<P: Publisher>(
    _ downstream: Downstream, with publisher: P,
    whenEnded ended: @escaping @Sendable (Joint, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    let chain = Joint(downstream, ChainMachine())
    // First of all, so that a long chain of chains need not hand subscriptions down a deep stack.
    chain.connect()
    chain.goOn(with: publisher, whenEnded: ended)
  }

  /// Goes on with another publisher, unless downstream has cancelled.
  @inlinable func goOn<P: Publisher>(
    with publisher: P,
    whenEnded ended: @escaping @Sendable (Joint, Subscribers.Completion<P.Failure>) -> Void
  ) where Machine == ChainMachine<P.Output, Downstream.Failure>, Downstream.Input == P.Output {
    guard let ticket = read({ $0.advance() }) else { return }
    publisher.receive(
      subscriber: ChainSubscriber(
        chain: self, source: Source(index: 0, ticket: ticket), ended: ended))
  }

  /// Ends the chain after the values that wait.
  @inlinable func complete(_ completion: Subscribers.Completion<Downstream.Failure>)
  where Machine == ChainMachine<Downstream.Input, Downstream.Failure> {
    update { machine, _ in machine.outlet.complete(completion) }
  }
}

/// The state of operators that go on with one publisher after another.
///
/// Demand that one publisher did not meet goes to the next.
@usableFromInline struct ChainMachine<Value: Sendable, Failure: Error>: JoinMachine {
  @usableFromInline var outlet = Outlet<Value, Failure>()
  @usableFromInline var current = Inlet()
  @usableFromInline var ticket = 0

  @inlinable init() {}

  /// Goes on with another publisher, which is then connected without the lock.
  @inlinable mutating func advance() -> Int? {
    guard outlet.isOpen else { return nil }
    current = Inlet()
    ticket += 1
    return ticket
  }

  @inlinable mutating func attach(
    _ subscription: any Subscription, of source: Source, _ orders: inout Orders
  ) {
    guard outlet.isOpen, source.ticket == ticket else { return orders.cancel(subscription) }
    if current.attach(subscription, &orders) { orders.request(subscription, outlet.room) }
  }

  @inlinable func accepts(from source: Source) -> Bool {
    outlet.isOpen && source.ticket == ticket && current.subscription != nil
  }

  /// Whether this is the end of the publisher that is current.
  @inlinable mutating func end(_ source: Source, _ orders: inout Orders) -> Bool {
    guard outlet.isOpen, source.ticket == ticket else { return false }
    return current.end(&orders)
  }

  @inlinable mutating func pass(
    _ demand: Subscribers.Demand, answering source: Source?, _ orders: inout Orders
  ) -> Subscribers.Demand {
    if let source, source.ticket == ticket { return demand }
    orders.request(current.subscription, demand)
    return .none
  }

  @inlinable mutating func cancel(_ orders: inout Orders) { current.cancel(&orders) }
}
