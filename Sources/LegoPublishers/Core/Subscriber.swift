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

/// The namespace of the subscribers and of what they exchange with publishers.
public enum Subscribers {}

extension Subscribers {
  /// How a publisher ended.
  public enum Completion<Failure: Error>: Sendable {
    /// It has nothing more to send.
    case finished
    /// It failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// The same end with another failure.
  @inlinable func mapError<Other: Error>(_ transform: (Failure) -> Other)
    -> Subscribers.Completion<Other>
  {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
