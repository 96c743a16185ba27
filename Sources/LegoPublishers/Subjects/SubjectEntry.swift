public import Synchronization

/// A subscriber of a subject, and its place.
///
/// It holds closures instead of the subscriber, because these can be compiled for the
/// subscriber's type where that is known.
@usableFromInline final class SubjectEntry<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let place: SubjectSubscription<Output, Failure>
  @usableFromInline let value: @Sendable (Output) -> Subscribers.Demand
  @usableFromInline let completion: @Sendable (Subscribers.Completion<Failure>) -> Void

  @inlinable init<S: Subscriber>(_ place: SubjectSubscription<Output, Failure>, _ subscriber: S)
  where S.Input == Output, S.Failure == Failure {
    self.place = place
    value = { subscriber.receive($0) }
    completion = { subscriber.receive(completion: $0) }
  }

  /// Sends a value, if it is wanted and was not sent yet.
  @inlinable func send(_ value: Output, _ number: UInt64) {
    guard place.seen.load(ordering: .relaxed) < number, place.take() else { return }
    place.seen.store(number, ordering: .relaxed)
    let more = self.value(value)
    if more > .none { place.add(more) }
  }

  /// Sends the end.
  @inlinable func end(_ completion: Subscribers.Completion<Failure>) {
    if place.isCancelled { return }
    place.close()
    self.completion(completion)
  }
}
