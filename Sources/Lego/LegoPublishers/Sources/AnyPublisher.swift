/// A type-erased publisher.
///
/// To erase the type of a ``Just`` or ``Empty`` publisher, call its `eraseToAnyPublisher()` method,
/// which does not allocate memory.
public struct AnyPublisher<Output: Sendable, Failure: Error>: Publisher {
  @usableFromInline enum Storage: Sendable {
    case empty(completes: Bool)
    case ready(Output)
    /// A closure that attaches a subscriber to the wrapped publisher, specialized for the
    /// publisher's type.
    case other(@Sendable (AnySubscriber<Output, Failure>) -> Void)
  }

  @usableFromInline let storage: Storage

  /// Creates a type-erased publisher that wraps the given publisher.
  @inlinable public init<P: Publisher>(_ publisher: P)
  where P.Output == Output, P.Failure == Failure {
    storage = .other { publisher.receive(subscriber: $0) }
  }

  @inlinable init(storage: Storage) { self.storage = storage }

  /// A publisher that finishes immediately without sending a value.
  @inlinable public static var empty: AnyPublisher {
    AnyPublisher(storage: .empty(completes: true))
  }

  /// A Boolean value that indicates whether the publisher is known to send no values.
  @inlinable package var isKnownEmpty: Bool {
    if case .empty = storage { true } else { false }
  }

  /// The only value that the publisher will send, or `nil` if that value is not known in advance.
  @inlinable package var readyValue: Output? {
    if case .ready(let value) = storage { value } else { nil }
  }

  /// Attaches the given subscriber to this publisher.
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
  /// Wraps this publisher with a type eraser.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

extension AnyPublisher {
  /// Returns this publisher, which is already type-erased.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> { self }
}
