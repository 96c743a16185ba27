public import Synchronization

/// The state of a subject: who listens, and what is still to be sent.
///
/// One thread sends at a time. A value that is sent meanwhile, by another thread or by a
/// subscriber, waits its turn, so that all subscribers see one order.
@usableFromInline struct SubjectState<Output: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>
  @usableFromInline typealias Place = SubjectSubscription<Output, Failure>

  @usableFromInline typealias Entry = SubjectEntry<Output, Failure>

  /// What the sender has to do outside the lock.
  @usableFromInline enum Delivery: Sendable {
    case value(Output, number: UInt64, to: [Entry])
    case completion(Completion, to: [Entry])
  }

  @usableFromInline enum Event: Sendable {
    case value(Output, UInt64)
    case replay(Place)
    case completion(Completion)
  }

  @usableFromInline var completion: Completion?
  /// The last value, where the subject keeps it.
  @usableFromInline var current: Output?
  @usableFromInline let keepsValue: Bool
  /// The number of the last value.
  @usableFromInline var number: UInt64
  @usableFromInline var entries: [Entry] = []
  @usableFromInline var queue = Queue<Event>()
  @usableFromInline var isSending = false

  @inlinable init(current: Output?) {
    self.current = current
    keepsValue = current != nil
    number = current == nil ? 0 : 1
  }

  /// Adds a subscriber, or answers with the end when it has come.
  @inlinable mutating func add(_ entry: Entry) -> Completion? {
    if let completion { return completion }
    // Of what was sent before, it gets the kept value and nothing else.
    entry.place.seen.store(keepsValue ? number - 1 : number, ordering: .relaxed)
    entries.append(entry)
    return nil
  }

  /// Removes a subscriber and gives it back to be freed outside the lock.
  @inlinable mutating func remove(_ place: Place) -> Entry? {
    entries.firstIndex { $0.place === place }.map { entries.remove(at: $0) }
  }

  /// Sends a value.
  ///
  /// - Parameter number: Becomes the number of the value.
  /// - Returns: Those whom the caller has to send it to, unless another sends.
  @inlinable mutating func send(_ value: Output, _ number: inout UInt64) -> [Entry]? {
    guard completion == nil else { return nil }
    if keepsValue { current = value }
    self.number += 1
    if isSending {
      queue.append(.value(value, self.number))
      return nil
    }
    if entries.isEmpty { return nil }
    isSending = true
    number = self.number
    return entries
  }

  /// Ends the sending, unless there is more.
  @inlinable mutating func isOver() -> Bool {
    guard queue.isEmpty else { return false }
    isSending = false
    return true
  }

  /// Ends the subject.
  @inlinable mutating func send(completion: Completion) -> Delivery? {
    guard self.completion == nil else { return nil }
    self.completion = completion
    if isSending {
      queue.append(.completion(completion))
      return nil
    }
    isSending = true
    return end(completion)
  }

  /// Sends the kept value to a subscriber that has demand for it and has not seen it.
  @inlinable mutating func replay(_ place: Place) -> Delivery? {
    guard keepsValue else { return nil }
    if isSending {
      queue.append(.replay(place))
      return nil
    }
    guard let delivery = replayNow(place) else { return nil }
    isSending = true
    return delivery
  }

  /// What the sender has to do next, or `nil` when it is done.
  @inlinable mutating func next() -> Delivery? {
    while let event = queue.popFirst() {
      switch event {
      case .value(let value, let number): return .value(value, number: number, to: entries)
      case .completion(let completion): return end(completion)
      case .replay(let place): if let delivery = replayNow(place) { return delivery }
      }
    }
    isSending = false
    return nil
  }

  @inlinable mutating func end(_ completion: Completion) -> Delivery {
    defer { entries = [] }
    return .completion(completion, to: entries)
  }

  @inlinable func replayNow(_ place: Place) -> Delivery? {
    guard let current, place.seen.load(ordering: .relaxed) < number,
      let entry = entries.first(where: { $0.place === place })
    else { return nil }
    return .value(current, number: number, to: [entry])
  }
}
