/// A publisher that others send values into.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to every subscriber.
  func send(_ value: Output)
  /// Ends the subject; what comes after is ignored.
  func send(completion: Subscribers.Completion<Failure>)
  /// Connects an upstream, which is asked for everything and cancelled when the subject is freed.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an empty value.
  public func send() { send(()) }
}
