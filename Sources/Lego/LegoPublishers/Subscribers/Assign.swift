internal import Synchronization

extension Subscribers {
  /// A subscriber that assigns each value to a property of an object.
  ///
  /// It keeps a strong reference to the object until the publisher finishes or the subscriber is
  /// cancelled.
  public final class Assign<Root: Sendable, Input: Sendable>: Subscriber, Cancellable {
    /// The failure type, which is `Never` because a failure cannot be assigned.
    public typealias Failure = Never

    /// The key path of the property to set.
    public let keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable
    private let root: Mutex<Root?>
    private let link = SubscriptionLink()

    /// Creates a subscriber that assigns values to a property of an object.
    @preconcurrency public init(
      object: Root, keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable
    ) {
      self.keyPath = keyPath
      root = Mutex(object)
    }

    /// The object, or `nil` after the publisher has finished or the subscriber has been cancelled.
    public var object: Root? { root.withLock { $0 } }

    /// Requests an unlimited number of values.
    public func receive(subscription: any Subscription) {
      if link.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Assigns the value to the property.
    public func receive(_ input: Input) -> Demand {
      object?[keyPath: keyPath] = input
      return .none
    }

    /// Releases the object.
    public func receive(completion: Completion<Never>) {
      link.end()
      release()
    }

    /// Cancels the subscription and releases the object.
    public func cancel() {
      release()
      link.cancel()
    }

    private func release() {
      let old = root.withLock { root in
        defer { root = nil }
        return root
      }
      withExtendedLifetime(old) {}
    }
  }
}

extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// The object is kept alive until the subscription ends.
  ///
  /// - Returns: A token that ends the subscription when it is cancelled or deallocated.
  @preconcurrency public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    receive(subscriber: assign)
    return AnyCancellable(assign)
  }
}
