internal import Synchronization

/// The downstream end of an operator: it sends one value at a time, and no more than asked for.
///
/// What cannot be sent yet waits in order.
final class DownstreamSubscription<Downstream: Subscriber>: Subscription {
  typealias Value = Downstream.Input
  typealias Completion = Subscribers.Completion<Downstream.Failure>

  /// What the operator does when asked.
  struct Hooks: Sendable {
    var request: @Sendable (Subscribers.Demand) -> Void = { _ in }
    var cancel: @Sendable () -> Void = {}
  }

  private struct Item: Sendable {
    let value: Value
    /// Called once the value was taken.
    let taken: (@Sendable () -> Void)?
  }

  private enum Step: Sendable {
    case send(Item, Downstream)
    case end(Completion, Downstream, Hooks)
  }

  private struct State: Sendable {
    var downstream: Downstream?
    var hooks: Hooks?
    var demand = Subscribers.Demand.none
    var items = Queue<Item>()
    var completion: Completion?
    var isSending = false

    mutating func next() -> Step? {
      guard !isSending, let downstream else { return nil }
      if demand > .none, let item = items.popFirst() {
        demand -= 1
        isSending = true
        return .send(item, downstream)
      }
      guard items.isEmpty, let completion else { return nil }
      self.downstream = nil
      defer { hooks = nil }
      return .end(completion, downstream, hooks ?? Hooks())
    }
  }

  private let state: Mutex<State>

  init(_ downstream: Downstream) {
    state = Mutex(State(downstream: downstream))
  }

  /// Connects the subscriber, once the operator is ready to be asked.
  func open(_ hooks: Hooks) {
    let downstream = state.withLock { state in
      state.hooks = hooks
      return state.downstream
    }
    downstream?.receive(subscription: self)
  }

  /// What was asked for and is not sent yet.
  var demand: Subscribers.Demand { state.withLock { $0.demand } }

  /// Sends a value, now or once it is asked for.
  func send(_ value: Value, taken: (@Sendable () -> Void)? = nil) {
    run { $0.items.append(Item(value: value, taken: taken)) }
  }

  /// Sends a value in the place of those that wait.
  func sendLatest(_ value: Value) {
    run { state in
      state.items = Queue()
      state.items.append(Item(value: value, taken: nil))
    }
  }

  /// Ends after the values that wait.
  func finish() { complete(.finished) }

  /// Ends as upstream did, after the values that wait.
  func complete(_ completion: Completion) {
    run { $0.completion = $0.completion ?? completion }
  }

  /// Ends now; the values that wait are dropped.
  func end(_ completion: Completion) {
    run { state in
      guard state.completion == nil else { return }
      state.items = Queue()
      state.completion = completion
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let hooks = state.withLock { state in
      state.demand += demand
      return state.hooks
    }
    hooks?.request(demand)
    run { _ in }
  }

  func cancel() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    old.hooks?.cancel()
  }

  private func run(_ update: (inout State) -> Void) {
    var next: Step? = state.withLock { state in
      // What comes too late is not kept.
      if state.downstream == nil { return nil }
      update(&state)
      return state.next()
    }
    while let step = next {
      switch step {
      case .end(let completion, let downstream, let hooks):
        hooks.cancel()
        downstream.receive(completion: completion)
        next = nil
      case .send(let item, let downstream):
        let more = downstream.receive(item.value)
        item.taken?()
        let hooks = state.withLock { state in
          state.demand += more
          return state.hooks
        }
        if more > .none { hooks?.request(more) }
        next = state.withLock { state in
          state.isSending = false
          return state.next()
        }
      }
    }
  }
}
