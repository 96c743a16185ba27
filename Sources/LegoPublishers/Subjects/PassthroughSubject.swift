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
