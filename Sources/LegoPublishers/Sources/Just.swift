/// A publisher that sends one value to each subscriber and finishes.
public struct Just<Output: Sendable>: Publisher {
  /// It cannot fail.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Creates a publisher of one value.
  @inlinable public init(_ output: Output) {
    self.output = output
  }

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Never {
    OnceSubscription.connect(.success(output), to: subscriber)
  }

  /// Hides this publisher's type, without an allocation.
  @inlinable public func eraseToAnyPublisher() -> AnyPublisher<Output, Never> {
    AnyPublisher(storage: .ready(output))
  }
}

extension Just: Equatable where Output: Equatable {}
