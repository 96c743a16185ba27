public import Synchronization

/// Puts a state machine behind one lock, and performs what it decides without the lock.
///
/// Nothing of the caller's runs under the lock: no subscriber, subscription, closure or deinit.
@usableFromInline final class Joint<Machine: JoinMachine, Downstream: Subscriber>: Sendable
where Downstream.Input == Machine.Value, Downstream.Failure == Machine.Failure {
  @usableFromInline typealias Demand = Subscribers.Demand
  @usableFromInline typealias Completion = Subscribers.Completion<Machine.Failure>
  @usableFromInline typealias Item = Outlet<Machine.Value, Machine.Failure>.Item

  /// What the one whose turn it is has to do.
  @usableFromInline enum Step: Sendable {
    case value(Item, to: Downstream)
    /// The end, and what is freed with it.
    case end(Completion, Queue<Item>, to: Downstream)
  }

  @usableFromInline struct State: Sendable {
    @usableFromInline var machine: Machine
    /// Freed at the end, also when a scheduler still holds the joint.
    @usableFromInline var downstream: Downstream?

    @inlinable init(machine: Machine, downstream: Downstream) {
      self.machine = machine
      self.downstream = downstream
    }

    /// Takes the turn, if it is free and there is something to send.
    @inlinable mutating func next() -> Step? {
      guard let step = machine.outlet.next(), let downstream else { return nil }
      switch step {
      case .value(let item): return .value(item, to: downstream)
      case .end(let completion, let dropped):
        self.downstream = nil
        return .end(completion, dropped, to: downstream)
      }
    }
  }

  @usableFromInline let state: Mutex<State>

  @inlinable init(_ downstream: Downstream, _ machine: Machine) {
    state = Mutex(State(machine: machine, downstream: downstream))
  }

  @inlinable deinit {}

  /// Reads the machine, or lets it decide what nobody is told.
  @inlinable func read<R: Sendable>(_ body: (inout Machine) -> R) -> R {
    state.withLock { body(&$0.machine) }
  }

  /// Lets the machine decide on an event, and performs what it decided.
  ///
  /// - Returns: What the event gives back, to be used or freed without the lock.
  @discardableResult
  @inlinable func update<R: Sendable>(_ event: (inout Machine, inout Orders) -> R) -> R {
    let (result, work) = decide(event)
    perform(work)
    return result
  }

  /// Lets the machine decide on an event that leaves nothing to send, and asks whom it says.
  @inlinable func order(_ event: (inout Machine, inout Orders) -> Void) {
    let orders = state.withLock { state in
      var orders = Orders()
      event(&state.machine, &orders)
      return orders
    }
    orders.carryOut()
  }

  /// What an event leads to.
  @usableFromInline struct Work: Sendable {
    @usableFromInline let orders: Orders
    @usableFromInline let step: Step?

    @inlinable init(orders: Orders, step: Step?) {
      self.orders = orders
      self.step = step
    }
  }

  /// Lets the machine decide, in a frame of its own that is gone when others are called.
  @inlinable func decide<R: Sendable>(_ event: (inout Machine, inout Orders) -> R) -> (R, Work) {
    state.withLock { state in
      var orders = Orders()
      let result = event(&state.machine, &orders)
      // Upstreams are asked before the turn is taken: one that sends at once then finds it free.
      return (result, Work(orders: orders, step: orders.areCalls ? nil : state.next()))
    }
  }

  @inlinable func perform(_ work: Work) {
    if work.orders.areCalls {
      work.orders.carryOut()
      if let step = takeTurn() { run(step) }
    } else if let step = work.step {
      run(step)
    }
  }

  @inlinable func takeTurn() -> Step? { state.withLock { $0.next() } }

  /// Sends a value that an upstream sends, now or once it is wanted and those before it are sent.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - source: The upstream.
  ///   - accepts: Whether the machine takes the value.
  /// - Returns: What to answer to the upstream.
  @inlinable func offer(
    _ value: Machine.Value, from source: Source, if accepts: (inout Machine) -> Bool
  ) -> Demand {
    let (receiver, step) = admit(value, from: source, if: accepts)
    guard let receiver else {
      if let step { run(step) }
      return .none
    }
    let more = receiver.receive(value)
    let (answer, next) = finish(more, of: source, isAnswered: true)
    if let next { run(next) }
    return answer
  }

  /// Takes the turn for a value that waits for nothing, or has it wait.
  @inlinable func admit(
    _ value: Machine.Value, from source: Source, if accepts: (inout Machine) -> Bool
  ) -> (Downstream?, Step?) {
    state.withLock { state in
      guard accepts(&state.machine) else { return (nil, nil) }
      if state.machine.outlet.claim() { return (state.downstream, nil) }
      state.machine.outlet.send(value, from: source)
      return (nil, state.next())
    }
  }

  /// Sends as long as it is this thread's turn.
  @inlinable func run(_ first: Step) {
    var step: Step? = first
    while let current = step {
      switch current {
      case .end(let completion, _, let downstream):
        downstream.receive(completion: completion)
        return
      case .value(let item, let downstream):
        let more = downstream.receive(item.value)
        step = finish(more, of: item.source, isAnswered: false).next
      }
    }
  }

  /// Gives the turn back after a value, and takes it again if there is more to send.
  @inlinable func finish(_ more: Demand, of source: Source, isAnswered: Bool)
    -> (answer: Demand, next: Step?)
  {
    let (answer, orders, step) = state.withLock { state -> (Demand, Orders, Step?) in
      var orders = Orders()
      state.machine.outlet.isSending = false
      if state.machine.outlet.isOver { return (.none, orders, nil) }
      var answer = state.machine.delivered(from: source, isAnswered: isAnswered, &orders)
      let wanted = more + state.machine.outlet.owed
      if wanted > .none {
        state.machine.outlet.owed = .none
        state.machine.outlet.demand += wanted
        answer += state.machine.pass(wanted, answering: isAnswered ? source : nil, &orders)
      }
      return (answer, orders, orders.areCalls ? nil : state.next())
    }
    if !orders.areCalls { return (answer, step) }
    orders.carryOut()
    return (answer, takeTurn())
  }

  @inlinable func request(_ demand: Demand) {
    guard demand > .none else { return }
    update { machine, orders in
      if machine.outlet.isOver { return }
      // One who asks while it receives is served by the one that sends to it.
      if machine.outlet.isSending {
        machine.outlet.owed += demand
        return
      }
      machine.outlet.demand += demand
      _ = machine.pass(demand, answering: nil, &orders)
    }
  }

  @inlinable func cancel() {
    let (orders, dropped, downstream) = state.withLock {
      state -> (Orders, Queue<Item>, Downstream?) in
      var orders = Orders()
      if state.machine.outlet.isOver { return (orders, Queue(), nil) }
      let dropped = state.machine.outlet.cancel()
      state.machine.cancel(&orders)
      return (orders, dropped, state.downstream.take())
    }
    orders.carryOut()
    withExtendedLifetime((dropped, downstream)) {}
  }

  /// Hands the subscriber its subscription.
  @inlinable func connect() {
    state.withLock { $0.downstream }?.receive(
      subscription: Handle(request: { self.request($0) }, cancel: { self.cancel() }))
  }
}
