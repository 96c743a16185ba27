/// A publisher that sends nothing before it is told to connect.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Connects to upstream, until the token is cancelled.
  func connect() -> any Cancellable
}
