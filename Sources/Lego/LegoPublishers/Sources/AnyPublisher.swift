/// A publisher whose type is hidden.
///
/// It stores ``Just`` and ``Empty`` directly, without an allocation.
public struct AnyPublisher<Output: Sendable, Failure: Error>: Publisher {
  @usableFromInline enum Storage: Sendable {
    case empty(completes: Bool)
    case ready(Output)
    /// Connects a subscriber to the wrapped publisher, in code that is compiled for its type.
    case other(@Sendable (AnySubscriber<Output, Failure>) -> Void)
  }

  @usableFromInline let storage: Storage

  /// Hides the type of a publisher.
  @inlinable public init<P: Publisher>(_ publisher: P)
  where P.Output == Output, P.Failure == Failure {
    storage = .other { publisher.receive(subscriber: $0) }
  }

  @inlinable init(storage: Storage) { self.storage = storage }

  /// A publisher that finishes without a value.
  @inlinable public static var empty: AnyPublisher {
    AnyPublisher(storage: .empty(completes: true))
  }

  /// A Boolean value that indicates whether the publisher certainly sends no value.
  @inlinable package var isKnownEmpty: Bool {
    if case .empty = storage { true } else { false }
  }

  /// The only value that the publisher sends, if it is known without a subscription.
  @inlinable package var readyValue: Output? {
    if case .ready(let value) = storage { value } else { nil }
  }

  /// Connects a subscriber.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    switch storage {
    case .empty(let completes):
      Empty<Output, Failure>(completeImmediately: completes).receive(subscriber: subscriber)
    case .ready(let value):
      OnceSubscription.connect(.success(value), to: subscriber)
    case .other(let connect):
      connect(AnySubscriber(subscriber))
    }
  }
}

extension Publisher {
  /// Hides the type of this publisher.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

extension AnyPublisher {
  /// Returns this publisher.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { self }
}
