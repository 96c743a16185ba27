/// A type that sends values to subscribers over time, and finishes or fails at most once.
///
/// Most publishers do no work until a subscriber attaches. Subjects, ``Future`` and connectable
/// publishers are exceptions.
///
/// Values can arrive on any thread, so publishers, subscribers and values are `Sendable`. A
/// publisher sends a subscriber one value at a time.
public protocol Publisher<Output, Failure>: Sendable {
  /// The type of values that this publisher sends.
  associatedtype Output: Sendable
  /// The type of error that this publisher can fail with, or `Never` if it cannot fail.
  associatedtype Failure: Error

  /// Attaches the given subscriber to this publisher.
  ///
  /// Implement this method in your own publishers. To attach a subscriber, call `subscribe(_:)`
  /// instead.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches the given subscriber to this publisher.
  public func subscribe<S: Subscriber>(_ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }
}

/// A publisher that sends no upstream values until `connect()` is called.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects to the upstream publisher.
  ///
  /// - Returns: A token that ends the connection when it is cancelled.
  func connect() -> any Cancellable
}

/// A namespace for the publishers that operators return.
public enum Publishers {}
