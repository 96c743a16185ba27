/// The output of an operator: the demand from downstream, and the values waiting to be sent.
///
/// Only one thread sends at a time. Values that other threads add in the meantime wait in the
/// queue. Downstream therefore receives values in the order in which the state machine added them.
@usableFromInline struct OutputQueue<Value: Sendable, Failure: Error>: Sendable {
  @usableFromInline typealias Completion = Subscribers.Completion<Failure>

  @usableFromInline struct Item: Sendable {
    let value: Value
    let id: UpstreamID
  }

  /// The next value or completion to send.
  @usableFromInline enum Step: Sendable {
    case value(Item)
    /// The completion, and the dropped values to release outside the lock.
    case end(Completion, Queue<Item>)
  }

  /// The number of requested values that have not been sent yet.
  @usableFromInline var demand = Subscribers.Demand.none
  /// The demand that arrived while a value was being sent.
  @usableFromInline var lateDemand = Subscribers.Demand.none
  @usableFromInline var items = Queue<Item>()
  @usableFromInline private(set) var dropped = Queue<Item>()
  @usableFromInline private(set) var completion: Completion?
  /// The number of queued values and completions that may be sent.
  ///
  /// A ``ScheduledSubscriber`` adds one permit in each scheduled closure. Other operators have
  /// unlimited permits.
  @usableFromInline var permits = Int.max
  @usableFromInline var isSending = false
  /// A Boolean value that indicates whether downstream has cancelled or ``next()`` has returned the
  /// completion.
  @usableFromInline var isOver = false

  /// A Boolean value that indicates whether more values can be added.
  @inlinable var isOpen: Bool { !isOver && completion == nil }

  /// The demand that remains after all queued values are sent.
  var unmetDemand: Subscribers.Demand { demand - items.count }

  /// Reserves the right to send a value directly, past the queue, if possible.
  ///
  /// - Returns: `false` if the value must be queued instead.
  @inlinable mutating func beginSending() -> Bool {
    guard !isSending, demand > .none, items.isEmpty, isOpen else { return false }
    demand -= 1
    isSending = true
    return true
  }

  @usableFromInline mutating func send(_ value: Value, from id: UpstreamID = .only) {
    if isOpen { items.append(Item(value: value, id: id)) }
  }

  /// Queues a value, which replaces the last queued value unless there is demand for both.
  ///
  /// - Returns: The replaced value, or `nil` if no value was replaced.
  mutating func sendLatest(_ value: Value) -> Value? {
    guard isOpen else { return nil }
    let old = unmetDemand == .none ? items.popLast() : nil
    send(value)
    return old?.value
  }

  /// Ends with a completion after all queued values have been sent.
  @usableFromInline mutating func complete(_ completion: Completion) {
    if isOpen { self.completion = completion }
  }

  /// Ends with a completion immediately, and drops the queued values.
  @usableFromInline mutating func end(_ completion: Completion) {
    guard isOpen else { return }
    self.completion = completion
    (dropped, items) = (items, Queue())
  }

  /// Takes the next value or completion to send, unless a thread is already sending.
  @inlinable mutating func next() -> Step? {
    if isSending || isOver { return nil }
    if demand > .none, permits > 0, let item = items.popFirst() {
      demand -= 1
      if permits < .max { permits -= 1 }
      isSending = true
      return .value(item)
    }
    guard items.isEmpty, let completion, permits > 0 else { return nil }
    isOver = true
    return .end(completion, dropped)
  }

  /// Ends without a completion.
  ///
  /// - Returns: The queued values, which the caller releases outside the lock.
  mutating func cancel() -> Queue<Item> {
    isOver = true
    defer { items = Queue() }
    return items
  }
}
