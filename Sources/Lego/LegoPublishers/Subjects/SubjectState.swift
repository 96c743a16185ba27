public import Synchronization

/// The state of a subject: its subscribers, and the events that are waiting to be sent.
///
/// Only one thread sends at a time. A value that a subscriber or another thread sends in the
/// meantime waits in the queue. All subscribers therefore receive values in the same order.
@usableFromInline struct SubjectState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>

  @usableFromInline typealias Entry = SubjectEntry<Output, Failure>

  /// The event that the sending thread delivers outside the lock.
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
  /// The most recent value, or `nil` if the subject does not store it.
  @usableFromInline var current: Output?
  @usableFromInline let keepsValue: Bool
  /// The sequence number of the most recent value.
  @usableFromInline var number: UInt64
  @usableFromInline var entries: [Entry] = []
  /// The only subscriber, or `nil` if there is not exactly one or if a sending thread has taken it.
  ///
  /// The sending thread moves the subscriber out and back, because retaining it takes longer than
  /// sending a value.
  @usableFromInline var onlyEntry: Entry?
  /// A Boolean value that indicates whether there is exactly one subscriber.
  @usableFromInline var hasOnlyEntry = false
  @usableFromInline var queue = Queue<Event>()
  /// The subscriptions to publishers that send values to this subject.
  @usableFromInline var upstreams: [any Subscription] = []
  /// A Boolean value that indicates whether the subject requests values from its upstreams.
  ///
  /// A subject that stores its most recent value requests values immediately. Other subjects wait
  /// until a subscriber has demand.
  @usableFromInline var isAsking: Bool

  @inlinable init(current: Output?) {
    self.current = current
    keepsValue = current != nil
    number = current == nil ? 0 : 1
    isAsking = current != nil
  }

  /// Adds a subscriber, unless the subject has ended.
  ///
  /// - Returns: The completion, or `nil` if the subject has not ended.
  @inlinable mutating func add(_ entry: Entry) -> Completion? {
    if let completion { return completion }
    // Of the values sent so far, the new subscriber receives only the stored value, if any.
    entry.subscription.lastNumber.store(keepsValue ? number - 1 : number, ordering: .relaxed)
    entries.append(entry)
    updateOnlyEntry()
    return nil
  }

  /// Removes a subscriber.
  ///
  /// - Returns: The subscriber, which the caller releases outside the lock.
  @inlinable mutating func remove(_ subscription: SubjectSubscription<Output, Failure>) -> Entry? {
    guard let index = entries.firstIndex(where: { $0.subscription === subscription }) else {
      return nil
    }
    let entry = entries.remove(at: index)
    updateOnlyEntry()
    return entry
  }

  /// Updates `onlyEntry` and `hasOnlyEntry` after a subscriber has been added or removed.
  @inlinable mutating func updateOnlyEntry() {
    hasOnlyEntry = entries.count == 1
    onlyEntry = hasOnlyEntry ? entries.first : nil
  }

  /// Moves the only subscriber back, and ends sending unless events are queued.
  ///
  /// - Parameters:
  ///   - entry: The subscriber. If it is no longer the only one, it is not moved, and the caller
  ///     releases it outside the lock.
  ///   - sending: The subject's sending state.
  /// - Returns: `false` if events are queued, in which case the caller must send them.
  @inlinable @inline(__always) mutating func restore(
    _ entry: inout Entry?, _ sending: borrowing SendingState
  ) -> Bool {
    if hasOnlyEntry, onlyEntry == nil { swap(&onlyEntry, &entry) }
    return sending.endUnderLock()
  }

  /// Starts to send a value, or queues it if a thread is already sending.
  ///
  /// - Parameters:
  ///   - value: The value to send.
  ///   - kept: The value to store, or `nil` if the subject stores no value. It is replaced with the
  ///     previous value, which the caller releases outside the lock.
  ///   - sending: The subject's sending state.
  ///   - number: Set to the sequence number of the value.
  ///   - only: Set to the only subscriber if the caller must send the value to it. The caller then
  ///     calls ``restore(_:_:)``.
  ///   - others: Set to the subscribers after the first one, if the caller must send the value to
  ///     several subscribers.
  /// - Returns: The first subscriber to send the value to, or `nil` if there is none or if `only`
  ///   was set.
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
    if entries.isEmpty {
      // The other thread has just stopped sending. Without a subscriber, there is nothing to send.
      _ = sending.endUnderLock()
      return nil
    }
    if entries.count > 1 { others = entries.dropFirst() }
    return entries.first
  }

  /// Starts to send an event, or queues it if a thread is already sending.
  ///
  /// - Returns: `true` if the caller must send the event.
  @inlinable mutating func begin(
    _ event: @autoclosure () -> Event, _ sending: borrowing SendingState, isWanted: Bool = true
  ) -> Bool {
    // If there are no subscribers, the event matters only if a thread is still sending.
    if !isWanted, !sending.isBusy { return false }
    if sending.tryBegin() { return true }
    queue.append(event())
    guard sending.noteQueued() else { return false }
    // The other thread has just stopped sending, so the queue contains only this event.
    _ = queue.popFirst()
    sending.noteEmpty()
    return true
  }

  /// Ends the subject with a completion.
  ///
  /// - Returns: The delivery that the caller must perform, or `nil` if there is none.
  @inlinable mutating func send(completion: Completion, _ sending: borrowing SendingState)
    -> Delivery?
  {
    guard self.completion == nil else { return nil }
    self.completion = completion
    return begin(.completion(completion), sending) ? end(completion) : nil
  }

  /// Starts to send the stored value to a subscriber that has not received it yet.
  ///
  /// - Returns: The delivery that the caller must perform, or `nil` if there is none.
  @inlinable mutating func replay(
    _ subscription: SubjectSubscription<Output, Failure>, _ sending: borrowing SendingState
  ) -> Delivery? {
    guard keepsValue else { return nil }
    return begin(.replay(subscription), sending) ? replayNow(subscription) : nil
  }

  /// Removes the next queued event and returns its delivery, or returns `nil` if the queue is
  /// empty.
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

  /// Adds an upstream subscription.
  ///
  /// - Returns: `true` if the caller must request values from it.
  @inlinable mutating func add(upstream: any Subscription) -> Bool {
    upstreams.append(upstream)
    return isAsking
  }

  /// Records that a subscriber has demand.
  ///
  /// - Returns: The upstream subscriptions from which the caller must now request values.
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

/// Records whether a thread is sending the events of a subject.
///
/// If no thread is sending, a thread that has an event sends it, followed by the events that other
/// threads have queued. Starting to send requires no atomic exchange. Stopping requires one, unless
/// the thread holds the subject's lock. This matters, because sending a value takes very little
/// time.
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

  /// Begins sending, unless a thread is already sending.
  ///
  /// The caller holds the subject's lock.
  @inlinable borrowing func tryBegin() -> Bool {
    // No exchange is needed, because other threads also begin under the lock.
    guard state.load(ordering: .acquiring) == SendingState.idle else { return false }
    state.store(SendingState.busy, ordering: .relaxed)
    return true
  }

  /// Begins sending.
  ///
  /// The caller holds the subject's lock, and ``isBusy`` is `false`.
  @inlinable borrowing func begin() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Ends sending under the subject's lock, unless events are queued.
  ///
  /// This needs no atomic exchange, because events are queued under the same lock.
  ///
  /// - Returns: `false` if events are queued.
  @inlinable borrowing func endUnderLock() -> Bool {
    guard state.load(ordering: .relaxed) == SendingState.busy else { return false }
    state.store(SendingState.idle, ordering: .releasing)
    return true
  }

  /// Records that an event is queued, after ``tryBegin()`` has returned `false`.
  ///
  /// The caller holds the subject's lock.
  ///
  /// - Returns: `true` if the other thread has just stopped sending, in which case the caller must
  ///   send the event.
  @inlinable borrowing func noteQueued() -> Bool {
    state.exchange(SendingState.busyAndQueued, ordering: .acquiringAndReleasing)
      == SendingState.idle
  }

  /// Records that the queue is empty.
  ///
  /// The sending thread calls this method under the subject's lock.
  @inlinable borrowing func noteEmpty() {
    state.store(SendingState.busy, ordering: .relaxed)
  }

  /// Ends sending, unless events are queued.
  ///
  /// - Returns: `false` if events are queued.
  @inlinable borrowing func end() -> Bool {
    state.compareExchange(
      expected: SendingState.busy, desired: SendingState.idle, ordering: .sequentiallyConsistent
    ).exchanged
  }
}
