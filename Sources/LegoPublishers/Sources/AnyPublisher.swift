/// A publisher whose type is hidden.
///
/// The ready-made ones ``Just`` and ``Empty`` are kept as they are, so that a publisher with
/// nothing to say costs no allocation.
public struct AnyPublisher<Output: Sendable, Failure: Error>: Publisher {
  @usableFromInline enum Storage: Sendable {
    case empty(completes: Bool)
    case ready(Output)
    /// Connects a subscriber to the publisher inside, with the code for its type.
    case other(@Sendable (ErasedSubscriber<Output, Failure>) -> Void)
  }

  @usableFromInline let storage: Storage

  /// Hides a publisher's type.
  @inlinable public init<P: Publisher>(_ publisher: P)
  where P.Output == Output, P.Failure == Failure {
    storage = .other { publisher.receive(subscriber: $0) }
  }

  @inlinable init(storage: Storage) {
    self.storage = storage
  }

  /// A publisher that sends nothing and is finished.
  @inlinable public static var empty: AnyPublisher {
    AnyPublisher(storage: .empty(completes: true))
  }

  /// Whether it is known to send no value, ever.
  @inlinable package var isKnownEmpty: Bool {
    if case .empty = storage { true } else { false }
  }

  /// The only value that it will send, when that is known without subscribing.
  @inlinable package var readyValue: Output? {
    if case .ready(let value) = storage { value } else { nil }
  }

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    switch storage {
    case .empty(let completes):
      Empty<Output, Failure>(completeImmediately: completes).receive(subscriber: subscriber)
    case .ready(let value):
      OnceSubscription.connect(.success(value), to: subscriber)
    case .other(let connect):
      connect(ErasedSubscriber(subscriber))
    }
  }
}

extension Publisher {
  /// Hides this publisher's type.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

extension AnyPublisher {
  /// Answers itself.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { self }
}

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
