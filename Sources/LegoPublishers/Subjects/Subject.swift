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

/// A subject that hands on what it is sent and keeps nothing.
///
/// A subscriber with no demand misses the value. A value that is sent while another is being
/// handed on, by another thread or by a subscriber, is handed on after it.
public final class PassthroughSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core = SubjectCore<Output, Failure>(current: nil)

  /// Creates a subject.
  @inlinable public init() {}

  @inlinable deinit { core.cancelUpstreams() }

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Sends a value to every subscriber that has demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Ends the subject; what comes after is ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Connects an upstream, which is asked for everything once somebody wants a value.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}

/// A subject that keeps the last value and sends it to new subscribers first.
///
/// A subscriber with no demand gets the value that is the last when it asks.
public final class CurrentValueSubject<Output: Sendable, Failure: Error>: Subject {
  @usableFromInline let core: SubjectCore<Output, Failure>
  @usableFromInline let initial: Output

  /// Creates a subject with its first value.
  @inlinable public init(_ value: Output) {
    initial = value
    core = SubjectCore(current: value)
  }

  @inlinable deinit { core.cancelUpstreams() }

  /// The last value; setting sends it, and after the end only keeps it.
  @inlinable public var value: Output {
    get { core.current ?? initial }
    set { core.write(newValue) }
  }

  /// Connects a subscriber.
  @inlinable public func receive<S: Subscriber>(subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    core.receive(subscriber: subscriber, owner: self)
  }

  /// Keeps a value and sends it to every subscriber that has demand.
  @inlinable public func send(_ value: Output) { core.send(value) }

  /// Ends the subject; what comes after is ignored.
  @inlinable public func send(completion: Subscribers.Completion<Failure>) {
    core.send(completion: completion)
  }

  /// Connects an upstream, and asks it for everything.
  @inlinable public func send(subscription: any Subscription) { core.add(upstream: subscription) }
}
