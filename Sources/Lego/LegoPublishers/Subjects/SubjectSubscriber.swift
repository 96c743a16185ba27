internal import Synchronization

/// Passes the values and the completion of an upstream publisher to a subject.
///
/// The subscriber does not keep the subject alive. When the subject is deallocated, it cancels this
/// subscription.
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

  /// The subject, or `nil` if it no longer exists or if there is no upstream subscription.
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
  /// Creates a subscriber that passes everything it receives to the given subject.
  public init<S: Subject>(_ subject: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(subject))
  }
}

extension Publisher {
  /// Attaches a subject, which sends the values and the completion of this publisher.
  ///
  /// A ``PassthroughSubject`` requests values once one of its subscribers has demand, and a
  /// ``CurrentValueSubject`` requests them immediately. The subscription ends when the subject is
  /// deallocated.
  ///
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(subscriber)
  }
}
