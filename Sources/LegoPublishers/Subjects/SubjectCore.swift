public import Synchronization

/// What both subjects are made of: the state behind its lock, and the sending outside it.
@usableFromInline final class SubjectCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias State = SubjectState<Output, Failure>

  @usableFromInline let state: Mutex<State>
  /// Whose turn it is to send.
  @usableFromInline let turn = Turn()

  @usableFromInline let keepsValue: Bool

  @inlinable init(current: Output?) {
    keepsValue = current != nil
    state = Mutex(State(current: current))
  }

  /// The kept value.
  @inlinable var current: Output? { state.withLock { $0.current } }

  @inlinable func receive<S: Subscriber>(
    subscriber: S, owner: any Subject<Output, Failure>
  ) where S.Input == Output, S.Failure == Failure {
    let place = SubjectSubscription(self, owner)
    let entry = SubjectEntry(place, subscriber)
    let completion = state.withLock { $0.add(entry) }
    if let completion {
      place.close()
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
    } else {
      subscriber.receive(subscription: place.handle)
    }
  }

  @inlinable func send(_ value: Output) {
    var number: UInt64 = 0
    var others: ArraySlice<State.Entry> = []
    var kept = keepsValue ? value : nil
    var lent: State.Entry?
    let first = state.withLock { $0.send(value, &kept, turn, &number, &lent, &others) }
    if let entry = lent.take() {
      entry.send(value, number)
      return giveBack(consume entry)
    }
    guard let first else { return }
    first.send(value, number)
    for entry in others { entry.send(value, number) }
    if !turn.end() { sendRest() }
  }

  /// Gives back the subscriber that was lent, and with it the turn.
  @inlinable @inline(__always) func giveBack(_ entry: consuming State.Entry?) {
    var lent = consume entry
    let isOver = state.withLock { $0.takeBack(&lent, turn) }
    // Freed here, and thus not at all where it was taken back: that would be a call of its own.
    if lent != nil { lent = nil }
    if !isOver { sendRest() }
  }

  @usableFromInline func send(completion: Subscribers.Completion<Failure>) {
    run(state.withLock { $0.send(completion: completion, turn) })
  }

  /// Keeps a value and sends it, or only keeps it after the end.
  @inlinable func write(_ value: Output) {
    var kept: Output? = value
    let isOver = state.withLock { state in
      if state.completion == nil { return false }
      swap(&state.current, &kept)
      return true
    }
    if !isOver { send(value) }
  }

  /// Adds an upstream, which is asked for everything once somebody wants a value.
  @usableFromInline func add(upstream: any Subscription) {
    if state.withLock({ $0.add(upstream: upstream) }) { upstream.request(.unlimited) }
  }

  /// Cancels the upstreams, when the subject is freed.
  @usableFromInline func cancelUpstreams() {
    let upstreams = state.withLock { state in
      defer { state.upstreams = [] }
      return state.upstreams
    }
    for upstream in upstreams { upstream.cancel() }
  }

  @usableFromInline func demandGrew(for place: State.Place) {
    for upstream in state.withLock({ $0.ask() }) { upstream.request(.unlimited) }
    run(state.withLock { $0.replay(place, turn) })
  }

  @usableFromInline func remove(_ place: State.Place) {
    let entry = state.withLock { $0.remove(place) }
    withExtendedLifetime(entry) {}
  }

  /// Sends what came meanwhile.
  @usableFromInline func sendRest() {
    repeat {
      while let delivery = state.withLock({ $0.next(turn) }) { perform(delivery) }
    } while !turn.end()
  }

  private func run(_ delivery: State.Delivery?) {
    guard let delivery else { return }
    perform(delivery)
    if !turn.end() { sendRest() }
  }

  private func perform(_ delivery: State.Delivery) {
    switch delivery {
    case .value(let value, let number, let entries):
      for entry in entries { entry.send(value, number) }
    case .completion(let completion, let entries):
      for entry in entries { entry.end(completion) }
    case .nothing:
      break
    }
  }
}
