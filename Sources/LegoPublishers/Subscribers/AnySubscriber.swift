/// A subscriber whose type is hidden, or one made of three closures.
public struct AnySubscriber<Input: Sendable, Failure: Error>: Subscriber {
  /// The identity of the subscriber inside.
  public let combineIdentifier: CombineIdentifier
  @usableFromInline let onSubscription: (@Sendable (any Subscription) -> Void)?
  @usableFromInline let onValue: (@Sendable (Input) -> Subscribers.Demand)?
  @usableFromInline let onCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?

  /// Hides a subscriber's type.
  @inlinable public init<S: Subscriber>(_ subscriber: S)
  where S.Input == Input, S.Failure == Failure {
    combineIdentifier = subscriber.combineIdentifier
    onSubscription = { subscriber.receive(subscription: $0) }
    onValue = { subscriber.receive($0) }
    onCompletion = { subscriber.receive(completion: $0) }
  }

  /// Makes a subscriber of closures; one left out ignores what comes.
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

  /// Passes the subscription on.
  @inlinable public func receive(subscription: any Subscription) { onSubscription?(subscription) }

  /// Passes the value on.
  @inlinable public func receive(_ input: Input) -> Subscribers.Demand { onValue?(input) ?? .none }

  /// Passes the end on.
  @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
    onCompletion?(completion)
  }
}

extension Subscriber {
  /// Hides this subscriber's type.
  @inlinable public func eraseToAnySubscriber() -> AnySubscriber<Input, Failure> {
    AnySubscriber(self)
  }
}
