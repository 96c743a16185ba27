/// A publisher that sends the values passed to its `send(_:)` method.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)
  /// Sends a completion to all subscribers.
  ///
  /// The subject ignores everything that is sent afterwards.
  func send(completion: Subscribers.Completion<Failure>)
  /// Attaches an upstream subscription, from which the subject requests an unlimited number of
  /// values.
  ///
  /// The subject cancels the subscription when the subject itself is deallocated.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a `Void` value to all subscribers.
  public func send() { send(()) }
}

/// A subject that sends values to its subscribers without storing them.
///
/// A subscriber that has no demand when a value is sent does not receive that value. If a
/// subscriber or another thread sends a value while the subject is already sending one, the subject
/// sends the new value afterwards.
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core = SubjectCore<Output, Failure>(current: nil)

  /// Creates a subject.
  @inlinable public init() {}

  @inlinable deinit { core.cancelUpstreams() }

  /// Attaches the given subscriber to this publisher.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Sends a value to all subscribers that have demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Sends a completion to all subscribers.
  ///
  /// The subject ignores everything that is sent afterwards.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Attaches an upstream subscription.
  ///
  /// The subject requests an unlimited number of values from it once a subscriber has demand, and
  /// cancels it when the subject itself is deallocated.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}

/// A subject that stores its most recent value and sends it to each new subscriber.
///
/// A subscriber that has no demand when values are sent receives the most recent value when it next
/// requests one.
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>
  @usableFromInline let initial: Output

  /// Creates a subject with the given initial value.
  @inlinable public init(_ value: Output) {
    initial = value
    core = SubjectCore(current: value)
  }

  @inlinable deinit { core.cancelUpstreams() }

  /// The most recent value.
  ///
  /// Setting this property also sends the new value, unless the subject has ended.
  @inlinable public var value: Output {
    get { core.current ?? initial }
    set { core.write(newValue) }
  }

  /// Attaches the given subscriber to this publisher.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Stores a value and sends it to all subscribers that have demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Sends a completion to all subscribers.
  ///
  /// The subject ignores everything that is sent afterwards.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Attaches an upstream subscription, from which the subject requests an unlimited number of
  /// values.
  ///
  /// The subject cancels the subscription when the subject itself is deallocated.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}
