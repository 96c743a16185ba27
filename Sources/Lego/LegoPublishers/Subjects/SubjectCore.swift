public import Synchronization

/// The implementation that both subjects share.
///
/// It guards the state with a lock, and sends events outside the lock.
@usableFromInline final class SubjectCore<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias State = SubjectState<Output, Failure>

  @usableFromInline let state: Mutex<State>
  @usableFromInline let sending = SendingState()

  @usableFromInline let keepsValue: Bool

  @inlinable init(current: Output?) {
    keepsValue = current != nil
    state = Mutex(State(current: current))
  }

  /// The stored value, or `nil` if the subject stores none.
  @inlinable var current: Output? { state.withLock { $0.current } }

  @inlinable func receive<S: Subscriber>(
    subscriber: S, owner: any Subject<Output, Failure>
  ) where S.Input == Output, S.Failure == Failure {
    let subscription = SubjectSubscription(self, owner)
    let entry = SubjectEntry(subscription, subscriber)
    let completion = state.withLock { $0.add(entry) }
    if let completion {
      subscription.close()
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(completion: completion)
    } else {
      subscriber.receive(subscription: subscription.asSubscription)
      // The subject may have ended before the subscriber received its subscription.
      if !subscription.start(), let completion = state.withLock({ $0.completion }) {
        entry.end(completion)
      }
    }
  }

  @inlinable func send(_ value: Output) {
    var number: UInt64 = 0
    var others: ArraySlice<State.Entry> = []
    var kept = keepsValue ? value : nil
    var only: State.Entry?
    let first = state.withLock { $0.send(value, &kept, sending, &number, &only, &others) }
    if let entry = only.take() {
      entry.send(value, number)
      return restore(consume entry)
    }
    guard let first else { return }
    first.send(value, number)
    for entry in others { entry.send(value, number) }
    if !sending.end() { sendRest() }
  }

  /// Moves the only subscriber back into the state, then sends any queued events.
  @inlinable @inline(__always) func restore(_ entry: consuming State.Entry?) {
    var only = consume entry
    let isOver = state.withLock { $0.restore(&only, sending) }
    // The check avoids a release if the subscriber was moved back.
    if only != nil { only = nil }
    if !isOver { sendRest() }
  }

  @usableFromInline func send(completion: Subscribers.Completion<Failure>) {
    run(state.withLock { $0.send(completion: completion, sending) })
  }

  /// Stores a value, and sends it unless the subject has ended.
  @inlinable func write(_ value: Output) {
    var kept: Output? = value
    let isOver = state.withLock { state in
      if state.completion == nil { return false }
      swap(&state.current, &kept)
      return true
    }
    if !isOver { send(value) }
  }

  @usableFromInline func add(upstream: any Subscription) {
    if state.withLock({ $0.add(upstream: upstream) }) { upstream.request(.unlimited) }
  }

  /// Cancels the upstream subscriptions when the subject is deallocated.
  @usableFromInline func cancelUpstreams() {
    let upstreams = state.withLock { state in
      defer { state.upstreams = [] }
      return state.upstreams
    }
    for upstream in upstreams { upstream.cancel() }
  }

  @usableFromInline func demandGrew(for subscription: SubjectSubscription<Output, Failure>) {
    for upstream in state.withLock({ $0.ask() }) { upstream.request(.unlimited) }
    run(state.withLock { $0.replay(subscription, sending) })
  }

  @usableFromInline func remove(_ subscription: SubjectSubscription<Output, Failure>) {
    let entry = state.withLock { $0.remove(subscription) }
    withExtendedLifetime(entry) {}
  }

  /// Sends the queued events until none are left.
  @usableFromInline func sendRest() {
    repeat {
      while let delivery = state.withLock({ $0.next(sending) }) { perform(delivery) }
    } while !sending.end()
  }

  private func run(_ delivery: State.Delivery?) {
    guard let delivery else { return }
    perform(delivery)
    if !sending.end() { sendRest() }
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

/// A subscriber of a subject, and its subscription.
///
/// The entry stores closures instead of the subscriber, because the compiler can specialize
/// closures where the type of the subscriber is known.
@usableFromInline final class SubjectEntry<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline let subscription: SubjectSubscription<Output, Failure>
  @usableFromInline let value: @Sendable (Output) -> Subscribers.Demand
  @usableFromInline let completion: @Sendable (Subscribers.Completion<Failure>) -> Void

  @inlinable init<S: Subscriber>(
    _ subscription: SubjectSubscription<Output, Failure>, _ subscriber: S
  ) where S.Input == Output, S.Failure == Failure {
    self.subscription = subscription
    value = { subscriber.receive($0) }
    completion = { subscriber.receive(completion: $0) }
  }

  /// Sends a value if the subscriber has demand and has not received the value yet.
  @inlinable func send(_ value: Output, _ number: UInt64) {
    guard subscription.lastNumber.load(ordering: .relaxed) < number, subscription.take() else {
      return
    }
    subscription.lastNumber.store(number, ordering: .relaxed)
    let more = self.value(value)
    if more > .none { subscription.add(more) }
  }

  /// Sends the completion, unless the subscription has already ended.
  ///
  /// If the subscriber is still receiving its subscription, the completion is sent afterwards.
  @inlinable func end(_ completion: Subscribers.Completion<Failure>) {
    if subscription.isCancelled || subscription.postponeEnd() { return }
    subscription.close()
    self.completion(completion)
  }
}

/// A subscriber's subscription to a subject.
///
/// The demand is an atomic number, so that sending a value does not take a second lock.
@usableFromInline final class SubjectSubscription<Output: Sendable, Failure: Error>: Sendable {
  @inlinable static var cancelled: Int { -1 }

  @inlinable static var starting: UInt8 { 0 }
  @inlinable static var started: UInt8 { 1 }
  /// The subject ended while the subscription was being handed to the subscriber.
  @inlinable static var endedAtStart: UInt8 { 2 }

  /// The remaining demand, or `cancelled` after the subscription has ended.
  @usableFromInline let demand = Atomic(0)
  /// The sequence number of the last value that was sent to the subscriber.
  ///
  /// It is set when the subscriber is added. After that, only the sending thread uses it.
  @usableFromInline let lastNumber: Atomic<UInt64>
  @usableFromInline let core: Mutex<SubjectCore<Output, Failure>?>
  /// Indicates whether the subscriber has received its subscription, or whether the subject ended
  /// first.
  @usableFromInline let phase = Atomic(SubjectSubscription.starting)
  /// The subject, which stays alive for as long as it has subscribers.
  @usableFromInline let owner: Mutex<(any Subject<Output, Failure>)?>

  @inlinable init(_ core: SubjectCore<Output, Failure>, _ owner: any Subject<Output, Failure>) {
    self.core = Mutex(core)
    self.owner = Mutex(owner)
    lastNumber = Atomic(0)
  }

  /// Reduces the demand by one, unless it is unlimited.
  ///
  /// - Returns: `false` if there is no demand.
  @inlinable func take() -> Bool {
    var current = demand.load(ordering: .acquiring)
    while current > 0 {
      if current == .max { return true }
      let (isDone, original) = demand.compareExchange(
        expected: current, desired: current - 1, ordering: .acquiringAndReleasing)
      if isDone { return true }
      current = original
    }
    return false
  }

  /// Records that the subscriber has received its subscription.
  ///
  /// - Returns: `false` if the subject has ended in the meantime, in which case the caller must
  ///   send the completion.
  @inlinable func start() -> Bool {
    phase.exchange(Self.started, ordering: .acquiringAndReleasing) == Self.starting
  }

  /// Leaves the completion to the thread that hands the subscription to the subscriber.
  ///
  /// - Returns: `false` if the subscriber already has its subscription.
  @inlinable func postponeEnd() -> Bool {
    phase.compareExchange(
      expected: Self.starting, desired: Self.endedAtStart, ordering: .acquiringAndReleasing
    ).original != Self.started
  }

  /// Adds demand, unless the subscription has ended.
  @inlinable func add(_ more: Subscribers.Demand) {
    guard more > .none else { return }
    var current = demand.load(ordering: .acquiring)
    while current >= 0, current < .max {
      let sum = (Subscribers.Demand.max(current) + more).count
      let (isDone, original) = demand.compareExchange(
        expected: current, desired: sum, ordering: .acquiringAndReleasing)
      if isDone { return }
      current = original
    }
  }

  /// The subscription that is sent to the subscriber.
  @inlinable var asSubscription: ClosureSubscription {
    ClosureSubscription(request: { self.request($0) }, cancel: { self.cancel() })
  }

  @inlinable var isCancelled: Bool { demand.load(ordering: .acquiring) == Self.cancelled }

  @inlinable func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    add(demand)
    core.withLock { $0 }?.demandGrew(for: self)
  }

  @inlinable func cancel() {
    close()?.remove(self)
  }

  /// Ends the subscription.
  ///
  /// - Returns: The core of the subject, or `nil` if the subscription had already ended.
  @discardableResult
  @inlinable func close() -> SubjectCore<Output, Failure>? {
    demand.store(Self.cancelled, ordering: .releasing)
    let owner = owner.withLock { owner in
      defer { owner = nil }
      return owner
    }
    withExtendedLifetime(owner) {}
    return core.withLock { core in
      defer { core = nil }
      return core
    }
  }
}
