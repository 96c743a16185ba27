public import Synchronization

/// The state of a subject: who listens, and what is still to be sent.
///
/// One thread sends at a time. A value that is sent meanwhile, by another thread or by a
/// subscriber, waits its turn, so that all subscribers see one order.
@usableFromInline struct SubjectState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>

  @usableFromInline typealias Entry = SubjectEntry<Output, Failure>

  /// What the sender has to do outside the lock.
  @usableFromInline enum Delivery: Sendable {
    case value(Output, number: UInt64, to: [Entry])
    case completion(Completion, to: [Entry])
    case nothing
  }

  @usableFromInline enum Event: Sendable {
    case value(Output, UInt64)
    case replay(SubjectSubscription<Output, Failure>)
    case completion(Completion)
  }

  @usableFromInline var completion: Completion?
  /// The last value, where the subject keeps it.
  @usableFromInline var current: Output?
  @usableFromInline let keepsValue: Bool
  /// The number of the last value.
  @usableFromInline var number: UInt64
  @usableFromInline var entries: [Entry] = []
  /// The only subscriber once more, to be lent to a sender; `nil` while it is lent, and where there
  /// are several.
  ///
  /// It is moved out and back, because to count a reference takes longer than to send a value.
  @usableFromInline var onlyEntry: Entry?
  /// Whether what was lent belongs here when it comes back.
  @usableFromInline var hasOnlyEntry = false
  @usableFromInline var queue = Queue<Event>()
  /// Those that send to the subject.
  @usableFromInline var upstreams: [any Subscription] = []
  /// Whether upstreams are asked: at once where a value is kept, else when somebody wants one.
  @usableFromInline var isAsking: Bool

  @inlinable init(current: Output?) {
    self.current = current
    keepsValue = current != nil
    number = current == nil ? 0 : 1
    isAsking = current != nil
  }

  /// Adds a subscriber, or answers with the end when it has come.
  @inlinable mutating func add(_ entry: Entry) -> Completion? {
    if let completion { return completion }
    // Of what was sent before, it gets the kept value and nothing else.
    entry.subscription.lastNumber.store(keepsValue ? number - 1 : number, ordering: .relaxed)
    entries.append(entry)
    updateOnlyEntry()
    return nil
  }

  /// Removes a subscriber and gives it back to be freed outside the lock.
  @inlinable mutating func remove(_ subscription: SubjectSubscription<Output, Failure>) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.subscription === subscription }) else {
      return nil
    }
    let entry = entries.remove(at: index)
    updateOnlyEntry()
    return entry
  }

  /// Finds out whether the subscriber can be lent, after there are others.
  @inlinable mutating func updateOnlyEntry() {
    hasOnlyEntry = entries.count == 1
    onlyEntry = hasOnlyEntry ? entries.first : nil
  }

  /// Takes back what was lent, and ends the sender's turn.
  ///
  /// - Parameters:
  ///   - entry: What was lent; left behind when it is not the only subscriber any more, to be freed
  ///     without the lock.
  ///   - sending: Whose turn it is to send.
  /// - Returns: Whether nothing was queued meanwhile.
  @inlinable @inline(__always) mutating func restore(
    _ entry: inout Entry?, _ sending: borrowing SendingState
  ) -> Bool {
    if hasOnlyEntry, onlyEntry == nil { swap(&onlyEntry, &entry) }
    return sending.endUnderLock()
  }

  /// Sends a value.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - kept: The same where the subject keeps it; becomes the one that was kept, to be freed
  ///     without the lock.
  ///   - sending: Whose turn it is to send.
  ///   - number: Becomes the number of the value.
  ///   - only: Becomes the only subscriber, for ``restore(_:_:)``, when nobody else sends.
  ///   - others: Becomes those whom the caller has to send it to after the first.
  /// - Returns: The first of several whom the caller has to send it to, unless another sends.
  @inlinable mutating func send(
    _ value: Output, _ kept: inout Output?, _ sending: borrowing SendingState,
    _ number: inout UInt64,
    _ only: inout Entry?, _ others: inout ArraySlice<Entry>
  ) -> Entry? {
    guard completion == nil else { return nil }
    if kept != nil { swap(&current, &kept) }
    self.number += 1
    number = self.number
    if onlyEntry != nil, !sending.isBusy {
      sending.begin()
      swap(&onlyEntry, &only)
      return nil
    }
    guard begin(.value(value, number), sending, isWanted: !entries.isEmpty) else { return nil }
    if entries.count > 1 { others = entries.dropFirst() }
    return entries.first
  }

  /// Counts an event, and keeps it for later when another sends.
  ///
  /// - Returns: Whether the caller has to send it.
  @inlinable mutating func begin(
    _ event: @autoclosure () -> Event, _ sending: borrowing SendingState, isWanted: Bool = true
  ) -> Bool {
    // Without a subscriber only a sender under way could have use for it.
    if !isWanted, !sending.isBusy { return false }
    if sending.tryBegin() { return true }
    queue.append(event())
    guard sending.noteQueued() else { return false }
    // The one that sent has just ended, so that the queue holds nothing but this event.
    _ = queue.popFirst()
    sending.noteEmpty()
    return true
  }

  /// Ends the subject.
  @inlinable mutating func send(completion: Completion, _ sending: borrowing SendingState)
    -> Delivery?
  {
    guard self.completion == nil else { return nil }
    self.completion = completion
    return begin(.completion(completion), sending) ? end(completion) : nil
  }

  /// Sends the kept value to a subscriber that has demand for it and has not seen it.
  @inlinable mutating func replay(
    _ subscription: SubjectSubscription<Output, Failure>, _ sending: borrowing SendingState
  ) -> Delivery? {
    guard keepsValue else { return nil }
    return begin(.replay(subscription), sending) ? replayNow(subscription) : nil
  }

  /// What the sender has to do next, or `nil` when there is nothing now.
  @inlinable mutating func next(_ sending: borrowing SendingState) -> Delivery? {
    switch queue.popFirst() {
    case .value(let value, let number): return .value(value, number: number, to: entries)
    case .completion(let completion): return end(completion)
    case .replay(let subscription): return replayNow(subscription)
    case nil:
      sending.noteEmpty()
      return nil
    }
  }

  /// Adds an upstream.
  ///
  /// - Returns: Whether it is to be asked for values.
  @inlinable mutating func add(upstream: any Subscription) -> Bool {
    upstreams.append(upstream)
    return isAsking
  }

  /// Notes that somebody wants values.
  ///
  /// - Returns: The upstreams to be asked for the first time.
  @inlinable mutating func ask() -> [any Subscription] {
    if isAsking { return [] }
    isAsking = true
    return upstreams
  }

  @inlinable mutating func end(_ completion: Completion) -> Delivery {
    let entries = entries
    self.entries = []
    updateOnlyEntry()
    return .completion(completion, to: entries)
  }

  @inlinable func replayNow(_ subscription: SubjectSubscription<Output, Failure>) -> Delivery {
    guard let current, subscription.lastNumber.load(ordering: .relaxed) < number,
      let entry = entries.first(where: { $0.subscription === subscription })
    else { return .nothing }
    return .value(current, number: number, to: [entry])
  }
}

/// Whose turn it is to work on what a lock protects, outside the lock.
///
/// The one that finds nobody working works, and then does what others have queued meanwhile. To
/// begin costs no atomic exchange and to end costs one, or none under the lock, which matters where
/// little is worked on.
@usableFromInline package struct SendingState: ~Copyable, Sendable {
  @usableFromInline static var idle: Int { 0 }
  @usableFromInline static var busy: Int { 1 }
  /// Taken, and something is queued.
  @usableFromInline static var busyAndQueued: Int { 2 }

  @usableFromInline let state = Atomic(0)

  @inlinable package init() {}

  /// Whether someone works.
  @inlinable package var isBusy: Bool {
    state.load(ordering: .sequentiallyConsistent) != SendingState.idle
  }

  /// Takes the turn if it is free; under the lock.
  @inlinable package borrowing func tryBegin() -> Bool {
    // Only the lock's holder takes it, so nobody comes between.
    guard state.load(ordering: .acquiring) == SendingState.idle else { return false }
    state.store(SendingState.busy, ordering: .relaxed)
    return true
  }

  /// Takes the turn that was found to be free; under the lock.
  @inlinable package borrowing func begin() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Gives the turn up under the lock, unless something is queued.
  ///
  /// There it needs no atomic exchange, since all that queue something hold the lock.
  @inlinable package borrowing func endUnderLock() -> Bool {
    guard state.load(ordering: .relaxed) == SendingState.busy else { return false }
    state.store(SendingState.idle, ordering: .releasing)
    return true
  }

  /// Says that something is queued; under the lock, after ``take()`` failed.
  ///
  /// - Returns: Whether the turn has become free meanwhile and is the caller's now.
  @inlinable package borrowing func noteQueued() -> Bool {
    state.exchange(SendingState.busyAndQueued, ordering: .acquiringAndReleasing)
      == SendingState.idle
  }

  /// Says that the queue is empty; under the lock, by the one that works.
  @inlinable package borrowing func noteEmpty() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Gives the turn up, unless something is queued.
  @inlinable package borrowing func end() -> Bool {
    state.compareExchange(
      expected: SendingState.busy, desired: SendingState.idle, ordering: .sequentiallyConsistent
    ).exchanged
  }
}
