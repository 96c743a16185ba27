/// The subscriber that `flatMap` has at its upstream.
@usableFromInline
struct FlatMapOuter<Input: Sendable, Child: Publisher, Downstream: Subscriber>: Subscriber
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  @usableFromInline typealias Failure = Child.Failure
  @usableFromInline typealias Machine = FlatMapMachine<Child.Output, Child.Failure>

  @usableFromInline let joint: Joint<Machine, Downstream>
  @usableFromInline let transform: @Sendable (Input) -> Child

  @inlinable init(
    _ joint: Joint<Machine, Downstream>, _ transform: @escaping @Sendable (Input) -> Child
  ) {
    self.joint = joint
    self.transform = transform
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.connect(subscription, &$1) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    guard let source = joint.read({ $0.open() }) else { return .none }
    transform(input).receive(subscriber: FlatMapInner(joint, source))
    return .none
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    joint.update { $0.end(completion, &$1) }
  }
}

/// The subscriber that `flatMap` has at each publisher that it made.
@usableFromInline struct FlatMapInner<Downstream: Subscriber>: Subscriber {
  @usableFromInline typealias Input = Downstream.Input
  @usableFromInline typealias Failure = Downstream.Failure
  @usableFromInline typealias Machine = FlatMapMachine<Input, Failure>

  @usableFromInline let joint: Joint<Machine, Downstream>
  @usableFromInline let source: Source

  @inlinable init(_ joint: Joint<Machine, Downstream>, _ source: Source) {
    self.joint = joint
    self.source = source
  }

  @inlinable var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  @inlinable func receive(subscription: any Subscription) {
    joint.order { $0.attach(subscription, of: source, &$1) }
  }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand {
    joint.offer(input, from: source) { $0.accept(from: source) }
  }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) {
    joint.update { $0.end(completion, of: source, &$1) }
  }
}
