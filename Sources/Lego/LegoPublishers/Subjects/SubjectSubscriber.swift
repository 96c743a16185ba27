internal import Synchronization

/// Connects a subject to an upstream, as long as both exist.
///
/// It does not keep the subject alive. When the subject is freed, it cancels its upstreams.
private final class SubjectSubscriber<Target: Subject>: Subscriber, Subscription {
  typealias Input = Target.Output
  typealias Failure = Target.Failure

  private struct State: Sendable {
    weak var subject: Target?
    var upstream = SubscriptionSlot()
  }

  private let state: Mutex<State>

  init(_ subject: Target) { state = Mutex(State(subject: subject)) }

  func receive(subscription: any Subscription) {
    if update({ $0.upstream.attach(subscription, &$1) }) {
      state.withLock { $0.subject }?.send(subscription: self)
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    target?.send(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let subject = target
    _ = update { $0.upstream.end(&$1) }
    subject?.send(completion: completion)
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    state.withLock { $0.upstream.subscription }?.request(demand)
  }

  func cancel() {
    update { $0.upstream.cancel(&$1) }
  }

  /// The subject, as long as it can receive values from upstream.
  private var target: Target? {
    state.withLock { $0.upstream.subscription == nil ? nil : $0.subject }
  }

  private func update<R: Sendable>(_ event: (inout State, inout PendingCalls) -> R) -> R {
    let (result, calls) = state.withLock { state in
      var calls = PendingCalls()
      let result = event(&state, &calls)
      return (result, calls)
    }
    calls.perform()
    return result
  }
}

extension AnySubscriber {
  /// Creates a subscriber that sends everything it receives to a subject.
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }
}

extension Publisher {
  /// Sends everything that this publisher sends to a subject.
  ///
  /// The subject requests values once it has demand itself. It cancels when it is freed.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}
