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
