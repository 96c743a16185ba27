/// Something that receives what a publisher sends.
///
/// The calls come in the order `receive(subscription:)` once, then `receive(_:)` at most as often
/// as was asked for, then `receive(completion:)` at most once, and never two at a time.
public protocol Subscriber<Input, Failure>: Sendable, CustomCombineIdentifierConvertible {
  /// What is received.
  associatedtype Input: Sendable
  /// How the publisher can fail.
  associatedtype Failure: Error

  /// Receives the connection, through which values are asked for.
  func receive(subscription: any Subscription)
  /// Receives a value, and answers with how many more are wanted beside those asked for before.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the end.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Receives an empty value.
  public func receive() -> Subscribers.Demand { receive(()) }
}
