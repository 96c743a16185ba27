internal import Synchronization

/// Connects a subject with an upstream, for as long as both live.
///
/// It does not keep the subject: one that is freed cancels its upstreams.
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  typealias Input = Target.Output
  typealias Failure = Target.Failure

  private struct State: Sendable {
    weak var subject: Target?
    var inlet = Inlet()
  }

  private let state: Mutex<State>

  init(_ subject: Target) {
    state = Mutex(State(subject: subject))
  }

  func receive(subscription: any Subscription) {
    let (subject, orders) = state.withLock { state -> (Target?, Orders) in
      var orders = Orders()
      let isKept = state.inlet.attach(subscription, &orders)
      return (isKept ? state.subject : nil, orders)
    }
    orders.carryOut()
    subject?.send(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    target?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let subject = target
    let orders = state.withLock { state in
      var orders = Orders()
      _ = state.inlet.end(&orders)
      return orders
    }
    orders.carryOut()
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    state.withLock { $0.inlet.subscription }?.request(demand)
  }

  func cancel() {
    let orders = state.withLock { state in
      var orders = Orders()
      state.inlet.cancel(&orders)
      return orders
    }
    orders.carryOut()
  }

  private var target: Target? {
    state.withLock { $0.inlet.subscription == nil ? nil : $0.subject }
  }
}

extension Publisher {
  /// Sends all that this publisher sends to a subject as well.
  ///
  /// The subject asks for values once somebody wants them from it, and cancels when it is freed.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}

extension AnySubscriber {
  /// Makes a subscriber that sends what it receives to a subject.
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }
}
