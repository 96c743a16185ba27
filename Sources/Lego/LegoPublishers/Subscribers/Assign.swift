internal import Synchronization

extension Subscribers {
  /// A subscriber that writes every value to a property of an object.
  ///
  /// It keeps the object until the publisher ends or the subscriber is cancelled.
  public final class Assign<Root: Sendable, Input: Sendable>: Subscriber, Cancellable {
    /// The failure type: only a publisher that cannot fail can be assigned.
    public typealias Failure = Never

    /// The key path of the property.
    public let keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable
    private let root: Mutex<Root?>
    private let link = SubscriptionLink()

    /// Creates a subscriber that writes to a property of an object.
    @preconcurrency public init(
      object: Root, keyPath: any ReferenceWritableKeyPath<Root, Input> & Sendable
    ) {
      self.keyPath = keyPath
      root = Mutex(object)
    }

    /// The object, or `nil` after the end.
    public var object: Root? { root.withLock { $0 } }

    /// Requests all values.
    public func receive(subscription: any Subscription) {
      if link.attach(subscription) { subscription.request(.unlimited) }
    }

    /// Writes the value.
    public func receive(_ input: Input) -> Demand {
      object?[keyPath: keyPath] = input
      return .none
    }

    /// Releases the object.
    public func receive(completion: Completion<Never>) {
      link.end()
      release()
    }

    /// Stops writing and releases the object.
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
  /// Writes every value to a property of an object, until the token is cancelled or freed.
  @preconcurrency public func assign<Root: Sendable>(
    to keyPath: any ReferenceWritableKeyPath<Root, Output> & Sendable, on object: Root
  ) -> AnyCancellable {
    let assign = Subscribers.Assign(object: object, keyPath: keyPath)
    receive(subscriber: assign)
    return AnyCancellable(assign)
  }
}
