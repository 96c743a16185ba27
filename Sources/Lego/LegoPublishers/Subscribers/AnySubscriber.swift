/// A type-erased subscriber that forwards events to another subscriber or to closures.
public struct AnySubscriber<Input: Sendable, Failure: Error>: Subscriber {
  /// The identifier of the wrapped subscriber, or a new identifier if the subscriber uses closures.
  public let combineIdentifier: CombineIdentifier
  @usableFromInline let onSubscription: (@Sendable (any Subscription) -> Void)?
  @usableFromInline let onValue: (@Sendable (Input) -> Subscribers.Demand)?
  @usableFromInline let onCompletion: (@Sendable (Subscribers.Completion<Failure>) -> Void)?

  /// Creates a type-erased subscriber that wraps the given subscriber.
  @inlinable public init<S: Subscriber>(_ subscriber: S)
  where S.Input == Input, S.Failure == Failure {
    combineIdentifier = subscriber.combineIdentifier
    onSubscription = { subscriber.receive(subscription: $0) }
    onValue = { subscriber.receive($0) }
    onCompletion = { subscriber.receive(completion: $0) }
  }

  /// Creates a subscriber that calls the given closures.
  ///
  /// If a closure is `nil`, the subscriber ignores the corresponding event.
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

  /// Forwards the subscription.
  @inlinable public func receive(subscription: any Subscription) { onSubscription?(subscription) }

  /// Forwards the value, and returns the number of additional values to request.
  @inlinable public func receive(_ input: Input) -> Subscribers.Demand { onValue?(input) ?? .none }

  /// Forwards the completion.
  @inlinable public func receive(completion: Subscribers.Completion<Failure>) {
    onCompletion?(completion)
  }
}

extension Subscriber {
  /// Wraps this subscriber with a type eraser.
  @inlinable public func eraseToAnySubscriber() -> AnySubscriber<Input, Failure> {
    AnySubscriber(self)
  }
}
