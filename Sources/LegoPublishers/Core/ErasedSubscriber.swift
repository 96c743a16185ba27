/// A subscriber made of closures, so that what is compiled for its type is called through them.
@usableFromInline final class ErasedSubscriber<Input: Sendable, Failure: Error>: Subscriber {
  @usableFromInline let onSubscription: @Sendable (any Subscription) -> Void
  @usableFromInline let onValue: @Sendable (Input) -> Subscribers.Demand
  @usableFromInline let onCompletion: @Sendable (Subscribers.Completion<Failure>) -> Void

  @inlinable init<S: Subscriber>(_ subscriber: S) where S.Input == Input, S.Failure == Failure {
    onSubscription = { subscriber.receive(subscription: $0) }
    onValue = { subscriber.receive($0) }
    onCompletion = { subscriber.receive(completion: $0) }
  }

  @inlinable deinit {}

  @inlinable func receive(subscription: any Subscription) { onSubscription(subscription) }

  @inlinable func receive(_ input: Input) -> Subscribers.Demand { onValue(input) }

  @inlinable func receive(completion: Subscribers.Completion<Failure>) { onCompletion(completion) }
}
