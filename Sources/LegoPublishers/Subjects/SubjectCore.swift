public import Synchronization

/// What both subjects are made of: the state behind its lock, and the sending outside it.
@usableFromInline final class SubjectCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias State = SubjectState<Output, Failure>

  @usableFromInline let state: Mutex<State>

  @inlinable init(current: Output?) {
    state = Mutex(State(current: current))
  }

  /// The kept value.
  @inlinable var current: Output? { state.withLock { $0.current } }

  @inlinable func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let place = SubjectSubscription(self)
    let completion = state.withLock { $0.add(State.Entry(place: place, subscriber: subscriber)) }
    if let completion {
      place.close()
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
    } else {
      subscriber.receive(subscription: place)
    }
  }

  @inlinable func send(_ value: Output) {
    run(state.withLock { $0.send(value) })
  }

  @inlinable func send(completion: Subscribers.Completion<Failure>) {
    run(state.withLock { $0.send(completion: completion) })
  }

  @inlinable func demandGrew(for place: State.Place) {
    run(state.withLock { $0.replay(place) })
  }

  @inlinable func remove(_ place: State.Place) {
    let entry = state.withLock { $0.remove(place) }
    withExtendedLifetime(entry) {}
  }

  @inlinable func run(_ delivery: State.Delivery?) {
    var next = delivery
    while let delivery = next {
      switch delivery {
      case .value(let value, let number, let entries):
        for entry in entries { Self.send(value, number, to: entry) }
      case .completion(let completion, let entries):
        for entry in entries where !entry.place.isCancelled {
          entry.place.close()
          entry.subscriber.receive(completion: completion)
        }
      }
      next = state.withLock { $0.next() }
    }
  }

  @inlinable static func send(_ value: Output, _ number: UInt64, to entry: State.Entry) {
    let place = entry.place
    guard place.seen.load(ordering: .relaxed) < number, place.take() else { return }
    place.seen.store(number, ordering: .relaxed)
    place.add(entry.subscriber.receive(value))
  }
}
