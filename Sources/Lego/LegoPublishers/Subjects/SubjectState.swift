public import Synchronization

/// The state of a subject: its subscribers, and the events that wait to be sent.
///
/// Only one thread sends at a time. If a subscriber or another thread sends a value during that
/// time, the value waits in the queue. All subscribers therefore receive the same order.
@usableFromInline struct SubjectState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>

  @usableFromInline typealias Entry = SubjectEntry<Output, Failure>

  /// The work of the sending thread outside the lock.
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
  /// The last value, if the subject stores it.
  @usableFromInline var current: Output?
  @usableFromInline let keepsValue: Bool
  /// The number of the last value.
  @usableFromInline var number: UInt64
  @usableFromInline var entries: [Entry] = []
  /// The only subscriber, or `nil` if there are several or if a sending thread has taken it.
  ///
  /// The thread moves it out and back, because counting a reference takes longer than sending a
  /// value.
  @usableFromInline var onlyEntry: Entry?
  /// A Boolean value that indicates whether there is exactly one subscriber.
  @usableFromInline var hasOnlyEntry = false
  @usableFromInline var queue = Queue<Event>()
  /// The subscriptions to the publishers that send to the subject.
  @usableFromInline var upstreams: [any Subscription] = []
  /// A Boolean value that indicates whether the subject requests values from its upstreams.
  ///
  /// It does so once a subscriber has demand, or at once if it stores the last value.
  @usableFromInline var isAsking: Bool

  @inlinable init(current: Output?) {
    self.current = current
    keepsValue = current != nil
    number = current == nil ? 0 : 1
    isAsking = current != nil
  }

  /// Adds a subscriber, unless the subject has ended.
  ///
  /// - Returns: The completion, if the subject has ended.
  @inlinable mutating func add(_ entry: Entry) -> Completion? {
    if let completion { return completion }
    // Of the earlier values, it receives only the stored one.
    entry.subscription.lastNumber.store(keepsValue ? number - 1 : number, ordering: .relaxed)
    entries.append(entry)
    updateOnlyEntry()
    return nil
  }

  /// Removes a subscriber.
  ///
  /// - Returns: The subscriber, which the caller frees outside the lock.
  @inlinable mutating func remove(_ subscription: SubjectSubscription<Output, Failure>) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.subscription === subscription }) else {
      return nil
    }
    let entry = entries.remove(at: index)
    updateOnlyEntry()
    return entry
  }

  /// Updates the only subscriber after a change of the subscribers.
  @inlinable mutating func updateOnlyEntry() {
    hasOnlyEntry = entries.count == 1
    onlyEntry = hasOnlyEntry ? entries.first : nil
  }

  /// Moves the only subscriber back, and ends sending.
  ///
  /// - Parameters:
  ///   - entry: The subscriber. If it is no longer the only one, it stays here, and the caller
  ///     frees it outside the lock.
  ///   - sending: The state of sending.
  /// - Returns: `false` if events are queued.
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
  ///   - kept: The same value if the subject stores it. It becomes the previous value, which the
  ///     caller frees outside the lock.
  ///   - sending: The state of sending.
  ///   - number: Becomes the number of the value.
  ///   - only: Becomes the only subscriber if no other thread sends. The caller sends it the value,
  ///     then calls ``restore(_:_:)``.
  ///   - others: Becomes all subscribers but the first, if the caller must send to several.
  /// - Returns: The first of several subscribers, or `nil` if another thread sends.
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

  /// Starts to send an event, or queues it if another thread sends.
  ///
  /// - Returns: A Boolean value that indicates whether the caller must send the event.
  @inlinable mutating func begin(
    _ event: @autoclosure () -> Event, _ sending: borrowing SendingState, isWanted: Bool = true
  ) -> Bool {
    // Without a subscriber, only a thread that is sending could need it.
    if !isWanted, !sending.isBusy { return false }
    if sending.tryBegin() { return true }
    queue.append(event())
    guard sending.noteQueued() else { return false }
    // The sending thread has just ended, so the queue contains only this event.
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

  /// Sends the stored value to a subscriber that has demand and has not received it.
  @inlinable mutating func replay(
    _ subscription: SubjectSubscription<Output, Failure>, _ sending: borrowing SendingState
  ) -> Delivery? {
    guard keepsValue else { return nil }
    return begin(.replay(subscription), sending) ? replayNow(subscription) : nil
  }

  /// Takes the next work of the sending thread, or `nil` if the queue is empty.
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
  /// - Returns: A Boolean value that indicates whether the caller must request values from it.
  @inlinable mutating func add(upstream: any Subscription) -> Bool {
    upstreams.append(upstream)
    return isAsking
  }

  /// Records that a subscriber has demand.
  ///
  /// - Returns: The upstreams from which the caller must request values for the first time.
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

/// Whether a thread is sending the events of a subject, outside the subject's lock.
///
/// If no thread is sending, the thread that has an event sends it, followed by the events that
/// others have queued. Beginning needs no atomic exchange. Ending needs one, or none
/// under
/// the lock. This matters because sending a value takes so little time.
@usableFromInline struct SendingState: ~Copyable, Sendable {
  @usableFromInline static var idle: Int { 0 }
  @usableFromInline static var busy: Int { 1 }
  /// A thread is sending, and events are queued.
  @usableFromInline static var busyAndQueued: Int { 2 }

  @usableFromInline let state = Atomic(0)

  @inlinable init() {}

  /// A Boolean value that indicates whether a thread is sending.
  @inlinable var isBusy: Bool {
    state.load(ordering: .sequentiallyConsistent) != SendingState.idle
  }

  /// Begins unless a thread is sending, under the lock.
  @inlinable borrowing func tryBegin() -> Bool {
    // Other threads begin only under the lock.
    guard state.load(ordering: .acquiring) == SendingState.idle else { return false }
    state.store(SendingState.busy, ordering: .relaxed)
    return true
  }

  /// Begins under the lock, after ``isBusy`` was `false`.
  @inlinable borrowing func begin() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Ends under the lock, unless events are queued.
  ///
  /// It needs no atomic exchange, because events are queued under the lock.
  @inlinable borrowing func endUnderLock() -> Bool {
    guard state.load(ordering: .relaxed) == SendingState.busy else { return false }
    state.store(SendingState.idle, ordering: .releasing)
    return true
  }

  /// Records under the lock that an event is queued, after ``tryBegin()`` returned `false`.
  ///
  /// - Returns: `true` if sending has just ended, and the caller must send the event.
  @inlinable borrowing func noteQueued() -> Bool {
    state.exchange(SendingState.busyAndQueued, ordering: .acquiringAndReleasing)
      == SendingState.idle
  }

  /// Records under the lock that the queue is empty, in the sending thread.
  @inlinable borrowing func noteEmpty() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Ends unless events are queued.
  @inlinable borrowing func end() -> Bool {
    state.compareExchange(
      expected: SendingState.busy, desired: SendingState.idle, ordering: .sequentiallyConsistent
    ).exchanged
  }
}
