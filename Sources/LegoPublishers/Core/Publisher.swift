/// Something that sends values over time, and ends at most once.
///
/// A publisher is a recipe: nothing happens before a subscriber comes, except in subjects and
/// ``Future``. Publishers, subscribers and values are `Sendable`, because values may come from
/// any thread; a subscriber is nevertheless called by one thread at a time.
public protocol Publisher<Output, Failure>: Sendable {
  /// What is sent.
  associatedtype Output: Sendable
  /// How it can fail; `Never` when it cannot.
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

/// A publisher that sends nothing before it is told to connect.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects to upstream, until the token is cancelled.
  func connect() -> any Cancellable
}

/// The namespace of the types behind the operators.
public enum Publishers {}
