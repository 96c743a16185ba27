/// A publisher whose values are sent by its users.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to all subscribers.
  func send(_ value: Output)
  /// Ends the subject, which ignores everything that is sent later.
  func send(completion: Subscribers.Completion<Failure>)
  /// Connects an upstream, from which the subject requests all values.
  ///
  /// The subject cancels it when it is freed.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends an empty value.
  public func send() { send(()) }
}

/// A subject that passes on values and stores none.
///
/// A subscriber without demand misses the value. If a subscriber or another thread sends a value
/// while the subject is sending one, the new value follows it.
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core = SubjectCore<Output, Failure>(current: nil)

  /// Creates a subject.
  @inlinable public init() {}

  @inlinable deinit { core.cancelUpstreams() }

  /// Connects a subscriber.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Sends a value to all subscribers that have demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Ends the subject, which ignores everything that is sent later.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Connects an upstream, from which the subject requests all values once a subscriber has demand.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}

/// A subject that stores the last value, and sends it to new subscribers first.
///
/// A subscriber without demand receives the value that is the last when it requests one.
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>
  @usableFromInline let initial: Output

  /// Creates a subject with an initial value.
  @inlinable public init(_ value: Output) {
    initial = value
    core = SubjectCore(current: value)
  }

  @inlinable deinit { core.cancelUpstreams() }

  /// The last value; setting it also sends it, unless the subject has ended.
  @inlinable public var value: Output {
    get { core.current ?? initial }
    set { core.write(newValue) }
  }

  /// Connects a subscriber.
  @inlinable public func receive(subscriber: some Subscriber<Output, Failure>) {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Stores a value and sends it to all subscribers that have demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Ends the subject, which ignores everything that is sent later.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Connects an upstream, from which the subject requests all values.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}
