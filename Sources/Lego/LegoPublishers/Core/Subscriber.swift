/// A type that receives values from a publisher.
///
/// A publisher calls `receive(subscription:)` first. It then calls `receive(_:)` for each value, up
/// to the number requested, and finally `receive(completion:)` at most once. Calls to `receive(_:)`
/// and `receive(completion:)` never overlap.
public protocol Subscriber<Input, Failure>: Sendable, CustomCombineIdentifierConvertible {
  /// The type of values that this subscriber receives.
  associatedtype Input: Sendable
  /// The type of error that this subscriber can receive, or `Never` if the publisher cannot fail.
  associatedtype Failure: Error

  /// Receives the subscription, through which the subscriber requests values and cancels.
  func receive(subscription: any Subscription)
  /// Receives a value, and returns the number of additional values to request.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the completion, after which the publisher sends nothing more.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Receives a `Void` value, and returns the number of additional values to request.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// A namespace for subscribers, demand and completions.
public enum Subscribers {}

extension Subscribers {
  /// A signal that a publisher will send no more values, because it has finished or failed.
  public enum Completion<Failure: Error>: Sendable {
    /// The publisher finished normally.
    case finished
    /// The publisher failed with an error.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// Returns this completion, with its error transformed if it is a failure.
  @inlinable func mapError<Other: Error>(_ transform: (Failure) -> Other)
    -> Subscribers.Completion<Other>
  {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
