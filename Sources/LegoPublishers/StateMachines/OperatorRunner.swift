internal import Synchronization

/// Puts a state machine behind one lock, and performs what it decides without the lock.
///
/// Nothing of the caller's runs under the lock: no subscriber, subscription, closure or deinit.
final class OperatorRunner<Machine: OperatorMachine, Downstream: Subscriber>: Sendable
where Downstream.Input == Machine.Value, Downstream.Failure == Machine.Failure {
  typealias Demand = Subscribers.Demand
  typealias Completion = Subscribers.Completion<Machine.Failure>
  typealias Item = OutputQueue<Machine.Value, Machine.Failure>.Item

  /// What the one whose turn it is has to do.
  enum Step: Sendable {
    case value(Item, to: Downstream)
    /// The end, and what is freed with it.
    case end(Completion, Queue<Item>, to: Downstream)
  }

  struct State: Sendable {
    var machine: Machine
    /// Freed at the end, also when a scheduler still holds the joint.
    var downstream: Downstream?

    init(machine: Machine, downstream: Downstream) {
      self.machine = machine
      self.downstream = downstream
    }

    /// Takes the turn, if it is free and there is something to send.
    mutating func next() -> Step? {
      guard let step = machine.output.next(), let downstream else { return nil }
      switch step {
      case .value(let item): return .value(item, to: downstream)
      case .end(let completion, let dropped):
        self.downstream = nil
        return .end(completion, dropped, to: downstream)
      }
    }
  }

  let state: Mutex<State>

  init(_ downstream: Downstream, _ machine: Machine) {
    state = Mutex(State(machine: machine, downstream: downstream))
  }

  /// Reads the machine, or lets it decide what nobody is told.
  func read<R: Sendable>(_ body: (inout Machine) -> R) -> R {
    state.withLock { body(&$0.machine) }
  }

  /// Lets the machine decide on an event, and performs what it decided.
  ///
  /// - Returns: What the event gives back, to be used or freed without the lock.
  @discardableResult
  func update<R: Sendable>(_ event: (inout Machine, inout PendingCalls) -> R) -> R {
    let (result, work) = decide(event)
    perform(work)
    return result
  }

  /// Lets the machine decide on an event that leaves nothing to send, and asks whom it says.
  func callUpstream(_ event: (inout Machine, inout PendingCalls) -> Void) {
    let calls = state.withLock { state in
      var calls = PendingCalls()
      event(&state.machine, &calls)
      return calls
    }
    calls.perform()
  }

  /// What an event leads to.
  struct Work: Sendable {
    let calls: PendingCalls
    let step: Step?

    init(calls: PendingCalls, step: Step?) {
      self.calls = calls
      self.step = step
    }
  }

  /// Lets the machine decide, in a frame of its own that is gone when others are called.
  func decide<R: Sendable>(_ event: (inout Machine, inout PendingCalls) -> R) -> (
    R, Work
  ) {
    state.withLock { state in
      var calls = PendingCalls()
      let result = event(&state.machine, &calls)
      // Upstreams are asked before the turn is taken: one that sends at once then finds it free.
      return (result, Work(calls: calls, step: calls.hasCalls ? nil : state.next()))
    }
  }

  func perform(_ work: Work) {
    if work.calls.hasCalls {
      work.calls.perform()
      if let step = takeTurn() { run(step) }
    } else if let step = work.step {
      run(step)
    }
  }

  func takeTurn() -> Step? { state.withLock { $0.next() } }

  /// Sends a value that an upstream sends, now or once it is wanted and those before it are sent.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - id: The upstream.
  ///   - accepts: Whether the machine takes the value.
  /// - Returns: What to answer to the upstream.
  func offer(
    _ value: Machine.Value, from id: UpstreamID, if accepts: (inout Machine) -> Bool
  ) -> Demand {
    let (receiver, step) = admit(value, from: id, if: accepts)
    guard let receiver else {
      if let step { run(step) }
      return .none
    }
    let more = receiver.receive(value)
    let (answer, next) = finish(more, of: id, isAnswered: true)
    if let next { run(next) }
    return answer
  }

  /// Takes the turn for a value that waits for nothing, or has it wait.
  func admit(
    _ value: Machine.Value, from id: UpstreamID, if accepts: (inout Machine) -> Bool
  ) -> (Downstream?, Step?) {
    state.withLock { state in
      guard accepts(&state.machine) else { return (nil, nil) }
      if state.machine.output.beginSending() { return (state.downstream, nil) }
      state.machine.output.send(value, from: id)
      return (nil, state.next())
    }
  }

  /// Sends as long as it is this thread's turn.
  func run(_ first: Step) {
    var step: Step? = first
    while let current = step {
      switch current {
      case .end(let completion, _, let downstream):
        downstream.receive(completion: completion)
        return
      case .value(let item, let downstream):
        let more = downstream.receive(item.value)
        step = finish(more, of: item.id, isAnswered: false).next
      }
    }
  }

  /// Gives the turn back after a value, and takes it again if there is more to send.
  func finish(_ more: Demand, of id: UpstreamID, isAnswered: Bool)
    -> (answer: Demand, next: Step?)
  {
    let (answer, calls, step) = state.withLock { state -> (Demand, PendingCalls, Step?) in
      var calls = PendingCalls()
      state.machine.output.isSending = false
      if state.machine.output.isOver { return (.none, calls, nil) }
      var answer = state.machine.delivered(from: id, isAnswered: isAnswered, &calls)
      let wanted = more + state.machine.output.lateDemand
      if wanted > .none {
        state.machine.output.lateDemand = .none
        state.machine.output.demand += wanted
        answer += state.machine.pass(wanted, answering: isAnswered ? id : nil, &calls)
      }
      return (answer, calls, calls.hasCalls ? nil : state.next())
    }
    if !calls.hasCalls { return (answer, step) }
    calls.perform()
    return (answer, takeTurn())
  }

  func request(_ demand: Demand) {
    guard demand > .none else { return }
    update { machine, calls in
      if machine.output.isOver { return }
      // One who asks while it receives is served by the one that sends to it.
      if machine.output.isSending {
        machine.output.lateDemand += demand
        return
      }
      machine.output.demand += demand
      _ = machine.pass(demand, answering: nil, &calls)
    }
  }

  func cancel() {
    let (calls, dropped, downstream) = state.withLock {
      state -> (PendingCalls, Queue<Item>, Downstream?) in
      var calls = PendingCalls()
      if state.machine.output.isOver { return (calls, Queue(), nil) }
      let dropped = state.machine.output.cancel()
      state.machine.cancel(&calls)
      return (calls, dropped, state.downstream.take())
    }
    calls.perform()
    withExtendedLifetime((dropped, downstream)) {}
  }

  /// Hands the subscriber its subscription.
  func connect() {
    state.withLock { $0.downstream }?.receive(
      subscription: ClosureSubscription(request: { self.request($0) }, cancel: { self.cancel() }))
  }
}
