/// The downstream in the state of an operator: what is wanted, and what waits to be sent.
///
/// One thread at a time has the turn to send. What is decided meanwhile waits behind it, so that
/// downstream receives everything in the order in which it was decided.
struct OutputQueue<Value: Sendable, Failure: Error>: Sendable {
  typealias Completion = Subscribers.Completion<Failure>

  struct Item: Sendable {
    let value: Value
    let id: UpstreamID

    init(value: Value, id: UpstreamID) {
      self.value = value
      self.id = id
    }
  }

  /// What the one whose turn it is has to do.
  enum Step: Sendable {
    case value(Item)
    /// The end, and what is freed with it.
    case end(Completion, Queue<Item>)
  }

  /// What was asked for and is not being sent yet.
  var demand = Subscribers.Demand.none
  /// What was asked for while a value was being sent.
  var lateDemand = Subscribers.Demand.none
  var items = Queue<Item>()
  var dropped = Queue<Item>()
  var completion: Completion?
  /// How many of the waiting values may be sent yet, where a scheduler decides that.
  var permits = Int.max
  var isSending = false
  /// Whether downstream has cancelled or is told the end.
  var isOver = false

  /// Whether a value could still be sent.
  var isOpen: Bool { !isOver && completion == nil }

  /// What was asked for and neither sent nor waiting.
  var unmetDemand: Subscribers.Demand { demand - items.count }

  /// Takes the turn to send a value that waits for nothing.
  mutating func beginSending() -> Bool {
    guard !isSending, demand > .none, items.isEmpty, isOpen else { return false }
    demand -= 1
    isSending = true
    return true
  }

  mutating func send(_ value: Value, from id: UpstreamID = UpstreamID(index: 0)) {
    if isOpen { items.append(Item(value: value, id: id)) }
  }

  /// Sends a value, which takes the place of the last one as long as that is not wanted.
  ///
  /// - Returns: The value whose place it took.
  mutating func sendLatest(_ value: Value) -> Value? {
    guard isOpen else { return nil }
    let old = unmetDemand == .none ? items.popLast() : nil
    send(value)
    return old?.value
  }

  /// Ends after the values that wait.
  mutating func complete(_ completion: Completion) {
    if isOpen { self.completion = completion }
  }

  /// Ends before the values that wait, which are dropped.
  mutating func end(_ completion: Completion) {
    guard isOpen else { return }
    self.completion = completion
    (dropped, items) = (items, Queue())
  }

  /// Takes the turn, if it is free and there is something to send.
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

  /// Ends without telling downstream.
  ///
  /// - Returns: What is to be freed without a lock.
  mutating func cancel() -> Queue<Item> {
    isOver = true
    defer { items = Queue() }
    return items
  }
}
