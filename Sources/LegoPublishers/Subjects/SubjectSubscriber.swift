internal import Synchronization

/// Connects a subject with an upstream, for as long as both live.
///
/// It does not keep the subject: one that is freed cancels its upstreams.
final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  typealias Input = Target.Output
  typealias Failure = Target.Failure

  private struct State: Sendable {
    weak var subject: Target?
    var upstream = SubscriptionSlot()
  }

  private let state: Mutex<State>

  init(_ subject: Target) {
    state = Mutex(State(subject: subject))
  }

  func receive(subscription: any Subscription) {
    let (subject, calls) = state.withLock { state -> (Target?, PendingCalls) in
      var calls = PendingCalls()
      let isKept = state.upstream.attach(subscription, &calls)
      return (isKept ? state.subject : nil, calls)
    }
    calls.perform()
    subject?.send(subscription: self)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    target?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let subject = target
    let calls = state.withLock { state in
      var calls = PendingCalls()
      _ = state.upstream.end(&calls)
      return calls
    }
    calls.perform()
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    state.withLock { $0.upstream.subscription }?.request(demand)
  }

  func cancel() {
    let calls = state.withLock { state in
      var calls = PendingCalls()
      state.upstream.cancel(&calls)
      return calls
    }
    calls.perform()
  }

  private var target: Target? {
    state.withLock { $0.upstream.subscription == nil ? nil : $0.subject }
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
