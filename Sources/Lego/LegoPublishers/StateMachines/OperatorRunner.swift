public import Synchronization

/// Guards a state machine with a lock, and performs its actions outside the lock.
///
/// Client code never runs under the lock. This applies to subscribers, subscriptions, closures and
/// deinitializers.
///
/// The methods that run for each value of `flatMap` and `merge` are inlinable, because unspecialized
/// code looks up type metadata at each step. PublisherBenchmark measures both.
@usableFromInline
final class OperatorRunner<Machine: OperatorMachine, Downstream: Subscriber>: Sendable
where Downstream.Input == Machine.Value, Downstream.Failure == Machine.Failure {
  @usableFromInline typealias Demand = Subscribers.Demand
  @usableFromInline typealias Item = OutputQueue<Machine.Value, Machine.Failure>.Item

  /// The next value or completion to send, and the subscriber that receives it.
  @usableFromInline enum Step: Sendable {
    case value(Item, to: Downstream)
    /// The completion, and the dropped values to release outside the lock.
    case end(Subscribers.Completion<Machine.Failure>, Queue<Item>, to: Downstream)
  }

  @usableFromInline struct State: Sendable {
    @usableFromInline var machine: Machine
    /// The subscriber, which is released when the operator ends, even if a scheduler still holds
    /// the runner.
    @usableFromInline var downstream: Downstream?

    /// Takes the next value or completion to send, unless a thread is already sending.
    @inlinable mutating func next() -> Step? {
      guard let step = machine.output.next(), let downstream else { return nil }
      switch step {
      case .value(let item): return .value(item, to: downstream)
      case .end(let completion, let dropped):
        self.downstream = nil
        return .end(completion, dropped, to: downstream)
      }
    }
  }

  @usableFromInline let state: Mutex<State>

  @usableFromInline init(_ downstream: Downstream, _ machine: Machine) {
    state = Mutex(State(machine: machine, downstream: downstream))
  }

  // MARK: - Events

  /// Sends the subscriber its subscription.
  @usableFromInline func connect() {
    state.withLock { $0.downstream }?.receive(
      subscription: ClosureSubscription(
        request: { self.request($0) }, cancel: { self.cancel() }))
  }

  /// Reads or changes the machine without sending output or calling upstreams.
  @inlinable func read<R: Sendable>(_ body: (inout Machine) -> R) -> R {
    state.withLock { body(&$0.machine) }
  }

  /// Changes the machine, then makes the pending calls and sends the queued output.
  ///
  /// - Returns: The result of the closure, which the caller can release outside the lock.
  @discardableResult
  @inlinable func update<R: Sendable>(_ event: (inout Machine, inout PendingCalls) -> R) -> R {
    let (result, calls, step) = decide(event)
    if calls.hasCalls {
      calls.perform()
      sendRest()
    } else if let step {
      send(step)
    }
    return result
  }

  /// Changes the machine and makes the pending calls, for an event that never produces output.
  @inlinable func callUpstream(_ event: (inout Machine, inout PendingCalls) -> Void) {
    let calls = state.withLock { state in
      var calls = PendingCalls()
      event(&state.machine, &calls)
      return calls
    }
    calls.perform()
  }

  /// Changes the machine, and returns the closure's result and either the calls to make or the
  /// first step to send.
  ///
  /// This is a separate function so that its frame is not on the stack during the calls. Otherwise,
  /// long chains of operators would need a deep stack.
  @inlinable func decide<R: Sendable>(_ event: (inout Machine, inout PendingCalls) -> R) -> (
    R, PendingCalls, Step?
  ) {
    state.withLock { state in
      var calls = PendingCalls()
      let result = event(&state.machine, &calls)
      // Upstreams are called first, so that an upstream that sends immediately can bypass the
      // queue.
      return (result, calls, calls.hasCalls ? nil : state.next())
    }
  }

  private func request(_ demand: Demand) {
    guard demand > .none else { return }
    update { machine, calls in
      if machine.output.isOver { return }
      // The sending thread handles this demand after it has sent its value.
      if machine.output.isSending {
        machine.output.lateDemand += demand
        return
      }
      machine.output.demand += demand
      _ = machine.pass(demand, answering: nil, &calls)
    }
  }

  private func cancel() {
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

  // MARK: - Sending

  /// Sends a value from an upstream, either directly or after the queued values.
  ///
  /// - Parameters:
  ///   - value: The value to send.
  ///   - id: The upstream that sent the value.
  ///   - accepts: A closure that returns whether the machine accepts the value.
  /// - Returns: The demand to return to the upstream.
  @inlinable func send(
    _ value: Machine.Value, from id: UpstreamID, if accepts: (inout Machine) -> Bool
  ) -> Demand {
    let (receiver, step) = admit(value, from: id, if: accepts)
    guard let receiver else {
      if let step { send(step) }
      return .none
    }
    let more = receiver.receive(value)
    let (answer, next) = finishSending(more, of: id, isAnswered: true)
    if let next { send(next) }
    return answer
  }

  /// Starts to send a value or queues it, if the machine accepts the value.
  @inlinable func admit(
    _ value: Machine.Value, from id: UpstreamID, if accepts: (inout Machine) -> Bool
  ) -> (Downstream?, Step?) {
    state.withLock { state in
      guard accepts(&state.machine) else { return (nil, nil) }
      if state.machine.output.beginSending() { return (state.downstream, nil) }
      state.machine.output.send(value, from: id)
      return (nil, state.next())
    }
  }

  @usableFromInline func sendRest() {
    if let step = state.withLock({ $0.next() }) { send(step) }
  }

  /// Sends the given step and those that follow, until nothing more can be sent or another thread
  /// is sending.
  @usableFromInline func send(_ first: Step) {
    var step: Step? = first
    while let current = step {
      switch current {
      case .end(let completion, _, let downstream):
        downstream.receive(completion: completion)
        return
      case .value(let item, let downstream):
        let more = downstream.receive(item.value)
        step = finishSending(more, of: item.id, isAnswered: false).next
      }
    }
  }

  /// Records that downstream has received a value, makes the resulting calls, and takes the next
  /// step to send.
  @inlinable func finishSending(_ more: Demand, of id: UpstreamID, isAnswered: Bool)
    -> (answer: Demand, next: Step?)
  {
    let (answer, calls, step) = state.withLock { state -> (Demand, PendingCalls, Step?) in
      var calls = PendingCalls()
      state.machine.output.isSending = false
      if state.machine.output.isOver { return (.none, calls, nil) }
      var answer = state.machine.delivered(from: id, isAnswered: isAnswered, &calls)
      let demand = more + state.machine.output.lateDemand
      if demand > .none {
        state.machine.output.lateDemand = .none
        state.machine.output.demand += demand
        answer += state.machine.pass(demand, answering: isAnswered ? id : nil, &calls)
      }
      return (answer, calls, calls.hasCalls ? nil : state.next())
    }
    if !calls.hasCalls { return (answer, step) }
    calls.perform()
    return (answer, state.withLock { $0.next() })
  }
}

extension OperatorRunner where Machine: SingleUpstreamMachine {
  /// Subscribes to a publisher, and sends downstream its subscription once the upstream
  /// subscription arrives.
  ///
  /// - Parameters:
  ///   - publisher: The upstream publisher.
  ///   - demand: The number of values that the operator requests immediately, regardless of
  ///     downstream demand.
  ///   - receiveValue: A closure that receives each value, and returns additional demand.
  ///   - receiveCompletion: A closure that receives the completion.
  func connect<P: Publisher>(
    to publisher: P, requesting demand: Demand = .none,
    receiveValue: @escaping @Sendable (P.Output) -> Demand,
    receiveCompletion: @escaping @Sendable (Subscribers.Completion<P.Failure>) -> Void
  ) {
    publisher.receive(
      subscriber: AnySubscriber(
        receiveSubscription: { subscription in
          guard self.update({ $0.upstream.attach(subscription, &$1) }) else { return }
          self.connect()
          if demand > .none { subscription.request(demand) }
        }, receiveValue: receiveValue, receiveCompletion: receiveCompletion))
  }
}
