/// The subscriber that `switchToLatest` has at its upstream.
struct SwitchOuter<Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  let joint: Joint<SwitchMachine<Child.Output, Child.Failure>, Downstream>

  var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  func receive(subscription: any Subscription) {
    joint.order { $0.connect(subscription, &$1) }
  }

  func receive(_ child: Child) -> Subscribers.Demand {
    if let ticket = joint.update({ $0.turn(&$1) }) {
      child.receive(subscriber: SwitchInner(joint: joint, source: Source(index: 0, ticket: ticket)))
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Child.Failure>) {
    joint.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `switchToLatest` has at each publisher that it turned to.
struct SwitchInner<Downstream: Subscriber>: Subscriber {
  let joint: Joint<SwitchMachine<Downstream.Input, Downstream.Failure>, Downstream>
  let source: Source

  var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  func receive(subscription: any Subscription) {
    joint.order { $0.attach(subscription, of: source, &$1) }
  }

  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    joint.offer(input, from: source) { $0.accepts(from: source) }
  }

  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    joint.update { $0.end(completion, of: source, &$1) }
  }
}
