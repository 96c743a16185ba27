/// The subscriber that an operator has upstream which sends through a scheduler.
struct ScheduledSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let joint: Joint<ScheduledMachine<Input, Failure>, Downstream>
  /// Has a closure run later.
  let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Whether downstream has its subscription before upstream comes.
  private(set) var isConnected = false
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

  /// Hands downstream its subscription at once, for an operator that may end before upstream comes.
  mutating func connect() {
    isConnected = true
    joint.connect()
  }

  func receive(subscription: any Subscription) {
    if !isConnected {
      if joint.update({ $0.attach(subscription, &$1) }) { joint.connect() }
      return
    }
    joint.update { machine, orders in
      // What was asked for meanwhile.
      if machine.attach(subscription, &orders) { orders.request(subscription, machine.outlet.room) }
    }
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
