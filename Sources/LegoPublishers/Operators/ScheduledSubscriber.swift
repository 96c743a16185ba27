/// The subscriber that an operator has upstream which sends through a scheduler.
struct ScheduledSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let joint: Joint<ScheduledMachine<Input, Failure>, Downstream>
  /// Has a closure run later.
  let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Told that something came.
  var received: @Sendable () -> Void = {}

  init(
    _ downstream: Downstream,
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    joint = Joint(downstream, ScheduledMachine())
    self.schedule = schedule
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(joint) }

  func receive(subscription: any Subscription) {
    if joint.update({ $0.attach(subscription, &$1) }) { joint.connect() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if joint.update({ machine, _ in machine.take(input) }) {
      received()
      permitLater()
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if joint.update({ $0.end(completion, &$1) }) { permitLater() }
  }

  private func permitLater() {
    schedule { [joint] in joint.update { machine, _ in machine.permit() } }
  }
}
