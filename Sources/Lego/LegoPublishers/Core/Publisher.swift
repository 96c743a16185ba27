/// A source that sends values over time, and ends at most once.
///
/// Except in subjects and ``Future``, nothing happens before a subscriber connects. Publishers,
/// subscribers and values are `Sendable`, because values can arrive on any thread. However, only
/// one thread calls a subscriber at a time.
public protocol Publisher<Output, Failure>: Sendable {
  /// The type of the values.
  associatedtype Output: Sendable
  /// The type of the failure, or `Never` if the publisher cannot fail.
  associatedtype Failure: Error

  /// Connects a subscriber; call `subscribe` instead.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Connects a subscriber.
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// A publisher that sends nothing before `connect()` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects to upstream until the token is cancelled.
  func connect() -> any Cancellable
}

/// The namespace of the publishers of operators.
public enum Publishers {}
