/// A receiver of the values of a publisher.
///
/// A publisher calls `receive(subscription:)` once, then `receive(_:)` at most as often as values
/// were requested, then `receive(completion:)` at most once. Two calls never overlap.
public protocol Subscriber<Input, Failure>: Sendable, CustomCombineIdentifierConvertible {
  /// The type of the values.
  associatedtype Input: Sendable
  /// The type of the failure.
  associatedtype Failure: Error

  /// Receives the subscription, through which the subscriber requests values.
  func receive(subscription: any Subscription)
  /// Receives a value, and returns additional demand.
  func receive(_ input: Input) -> Subscribers.Demand
  /// Receives the completion.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Receives an empty value.
  public func receive() -> Subscribers.Demand { receive(()) }
}

/// The namespace of subscribers, demand and completions.
public enum Subscribers {}

extension Subscribers {
  /// The reason why a publisher ended.
  public enum Completion<Failure: Error>: Sendable {
    /// The publisher has sent all values.
    case finished
    /// The publisher failed.
    case failure(Failure)
  }
}

extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

extension Subscribers.Completion {
  /// Converts the failure.
  @inlinable func mapError<Other: Error>(_ transform: (Failure) -> Other)
    -> Subscribers.Completion<Other>
  {
    switch self {
    case .finished: .finished
    case .failure(let error): .failure(transform(error))
    }
  }
}
