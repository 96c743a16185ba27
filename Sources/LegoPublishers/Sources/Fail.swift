/// A publisher that fails at once.
public struct Fail<Output: Sendable, Failure: Error>: Publisher {
  /// The failure.
  public let error: Failure

  /// Creates a publisher that fails.
  public init(error: Failure) {
    self.error = error
  }

  /// Creates a publisher that fails, with its output type named.
  public init(outputType: Output.Type, failure: Failure) {
    self.init(error: failure)
  }

  /// Connects a subscriber.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    OnceSubscription.connect(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}
