extension Result where Success: Sendable {
  /// A publisher of this result.
  public var publisher: Publisher { Publisher(self) }

  /// A publisher that sends a result's value and finishes, or fails with its error.
  public struct Publisher: LegoPublishers.Publisher {
    /// What is sent.
    public typealias Output = Success

    /// The result.
    public let result: Result<Success, Failure>

    /// Creates a publisher of a result.
    public init(_ result: Result<Success, Failure>) {
      self.result = result
    }

    /// Creates a publisher of a value.
    public init(_ output: Success) {
      self.init(.success(output))
    }

    /// Creates a publisher of a failure.
    public init(_ failure: Failure) {
      self.init(.failure(failure))
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Success, S.Failure == Failure {
      OnceSubscription.connect(result, to: subscriber)
    }
  }
}
