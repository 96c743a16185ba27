/// A subscriber whose type is hidden, or that consists of three closures.
public struct AnySubscriber<Input: Sendable, Failure: Error>: Subscriber {
  /// The identity of the wrapped subscriber.
  public let combineIdentifier: CombineIdentifier
  @usableFromInline let onSubscription: (@Sendable (any Subscription) -> Void)?
  @usableFromInline let onValue: (@Sendable (Input) -> Subscribers.Demand)?
  @usableFromInline let onCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?

  /// Hides the type of a subscriber.
  @inlinable public init<S: Subscriber>(_ subscriber: S)
  where S.Input == Input, S.Failure == Failure {
    combineIdentifier = subscriber.combineIdentifier
    onSubscription = { subscriber.receive(subscription: $0) }
    onValue = { subscriber.receive($0) }
    onCompletion = { subscriber.receive(completion: $0) }
  }

  /// Creates a subscriber from closures; without a closure, the event is ignored.
  @preconcurrency @inlinable public init(
    receiveSubscription: (@Sendable (any Subscription) -> Void)? = nil,
    receiveValue: (@Sendable (Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    combineIdentifier = CombineIdentifier()
    onSubscription = receiveSubscription
    onValue = receiveValue
    onCompletion = receiveCompletion
  }

  /// Passes on the subscription.
  @inlinable public func receive(subscription: any Subscription) { onSubscription?(subscription) }

  /// Passes on the value.
  @inlinable public func receive(_ input: Input) -> Subscribers.Demand { onValue?(input) ?? .none }

  /// Passes on the completion.
  @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
    onCompletion?(completion)
  }
}

extension Subscriber {
  /// Hides the type of this subscriber.
  @inlinable public func eraseToAnySubscriber() -> AnySubscriber<Input, Failure> {
    AnySubscriber(self)
  }
}
