/// The subscriber that `switchToLatest` has at its upstream.
@usableFromInline struct SwitchOuter<Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline typealias Input = Child
  @usableFromInline typealias Failure = Child.Failure

  @usableFromInline let joint: Joint<SwitchMachine<Child.Output, Child.Failure>, Downstream>

  @inlinable init(joint: Joint<SwitchMachine<Child.Output, Child.Failure>, Downstream>) {
    self.joint = joint
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.connect(subscription, &$1) }
  }

  @inlinable func receive(_ child: Child) -> Subscribers.Demand {
    if let ticket = joint.update({ $0.turn(&$1) }) {
      child.receive(subscriber: SwitchInner(joint: joint, source: Source(index: 0, ticket: ticket)))
    }
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Child.Failure>) {
    joint.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `switchToLatest` has at each publisher that it turned to.
@usableFromInline struct SwitchInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure

  @usableFromInline let joint:
    Joint<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>
  @usableFromInline let source: Source

  @inlinable init(
    joint: Joint<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>, source: Source
  ) {
    self.joint = joint
    self.source = source
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.attach(subscription, of: source, &$1) }
  }

  @inlinable func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    joint.offer(input, from: source) { $0.accepts(from: source) }
  }

  @inlinable func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    joint.update { $0.end(completion, of: source, &$1) }
  }
}
