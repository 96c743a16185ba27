/// The downstream in the state of an operator: its demand, and the values that wait for it.
///
/// Only one thread sends at a time, and values that others add wait in the queue. Downstream
/// therefore receives everything in the order of the decisions of the machine.
struct OutputQueue<Value: Sendable, Failure: Error>: Sendable {
  typealias Completion = Subscribers.Completion<Failure>

  struct Item: Sendable {
    let value: Value
    let id: UpstreamID
  }

  /// The next thing to send.
  enum Step: Sendable {
    case value(Item)
    /// The completion, and the values that are freed with it.
    case end(Completion, Queue<Item>)
  }

  /// The demand that is not yet met.
  var demand = Subscribers.Demand.none
  /// The demand that arrived while a value was being sent.
  var lateDemand = Subscribers.Demand.none
  var items = Queue<Item>()
  private var dropped = Queue<Item>()
  private var completion: Completion?
  /// The number of waiting values that may be sent, if a scheduler decides on it.
  var permits = Int.max
  var isSending = false
  /// A Boolean value that indicates whether downstream has cancelled or received the completion.
  private(set) var isOver = false

  /// A Boolean value that indicates whether another value could be sent.
  var isOpen: Bool { !isOver && completion == nil }

  /// The demand that the waiting values do not meet.
  var unmetDemand: Subscribers.Demand { demand - items.count }

  /// Starts to send a value that need not wait.
  ///
  /// - Returns: `false` if the value has to wait.
  mutating func beginSending() -> Bool {
    guard !isSending, demand > .none, items.isEmpty, isOpen else { return false }
    demand -= 1
    isSending = true
    return true
  }

  mutating func send(_ value: Value, from id: UpstreamID = .only) {
    if isOpen { items.append(Item(value: value, id: id)) }
  }

  /// Sends a value, which replaces the last one if there is no demand for that.
  ///
  /// - Returns: The replaced value.
  mutating func sendLatest(_ value: Value) -> Value? {
    guard isOpen else { return nil }
    let old = unmetDemand == .none ? items.popLast() : nil
    send(value)
    return old?.value
  }

  /// Ends after the waiting values.
  mutating func complete(_ completion: Completion) {
    if isOpen { self.completion = completion }
  }

  /// Ends at once, without the waiting values.
  mutating func end(_ completion: Completion) {
    guard isOpen else { return }
    self.completion = completion
    (dropped, items) = (items, Queue())
  }

  /// Takes the next thing to send, if no other thread is sending.
  mutating func next() -> Step? {
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
  /// - Returns: The waiting values, which the caller frees outside the lock.
  mutating func cancel() -> Queue<Item> {
    isOver = true
    defer { items = Queue() }
    return items
  }
}
