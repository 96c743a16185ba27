internal import Synchronization

/// The part of an operator that reads all of upstream and sends one result, once it is wanted.
final class Gatherer<Downstream: Subscriber, Upstream: Publisher, Memory: Sendable>:
  Subscriber, Subscription
where Upstream.Failure == Downstream.Failure {
  typealias Input = Upstream.Output
  typealias Failure = Upstream.Failure
  typealias Plan = Publishers.Gather<Upstream, Downstream.Input, Memory>

  private struct State: Sendable {
    var downstream: Downstream?
    var inlet = Inlet()
    /// What was gathered; `nil` while a value is being worked in, and after the end.
    var memory: Memory?
    var isWanted = false
    var result: Downstream.Input?

    /// Takes what can be sent now.
    mutating func takeResult() -> (Downstream, Downstream.Input)? {
      guard isWanted, let result, let downstream else { return nil }
      (self.result, self.downstream) = (nil, nil)
      return (downstream, result)
    }
  }

  private let state: Mutex<State>
  private let plan: Plan
  private let isCancelled = Atomic(false)

  init(_ downstream: Downstream, _ plan: Plan) {
    state = Mutex(State(downstream: downstream, memory: plan.memory))
    self.plan = plan
  }

  func receive(subscription: any Subscription) {
    let (downstream, orders) = state.withLock { state in
      var orders = Orders()
      let isKept = state.inlet.attach(subscription, &orders)
      return (isKept ? state.downstream : nil, orders)
    }
    orders.carryOut()
    guard let downstream else { return }
    downstream.receive(subscription: self)
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    // Taken out of the state, so that an array that grows is not copied each time.
    guard
      var memory = state.withLock({ $0.inlet.subscription == nil ? nil : $0.memory.take() })
    else { return .none }
    if plan.step(&memory, input) {
      cancelUpstream()
      settle(memory)
    } else {
      // The end may have come while the closure ran.
      let isOver = state.withLock { state in
        guard state.downstream != nil else { return false }
        if !state.inlet.isEnded { state.memory = memory }
        return state.inlet.isEnded
      }
      if isOver { settle(memory) }
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    let (memory, isEnd, orders) = state.withLock { state in
      var orders = Orders()
      let isEnd = state.inlet.end(&orders)
      return (isEnd ? state.memory.take() : nil, isEnd, orders)
    }
    orders.carryOut()
    guard isEnd else { return }
    switch completion {
    case .finished: if let memory { settle(memory) }
    case .failure: takeDownstream()?.receive(completion: completion)
    }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    send(
      state.withLock { state in
        state.isWanted = true
        return state.takeResult()
      })
  }

  func cancel() {
    isCancelled.store(true, ordering: .releasing)
    let dropped = state.withLock { state in
      defer { (state.memory, state.result) = (nil, nil) }
      return (state.downstream.take(), state.memory, state.result)
    }
    cancelUpstream()
    withExtendedLifetime(dropped) {}
  }

  private func settle(_ memory: Memory) {
    guard let value = plan.result(memory) else {
      // An end without a value needs no demand.
      takeDownstream()?.receive(completion: .finished)
      return
    }
    send(
      state.withLock { state in
        state.result = value
        return state.takeResult()
      })
  }

  private func send(_ ready: (Downstream, Downstream.Input)?) {
    guard let (downstream, value) = ready else { return }
    _ = downstream.receive(value)
    if !isCancelled.load(ordering: .acquiring) { downstream.receive(completion: .finished) }
  }

  private func cancelUpstream() {
    let orders = state.withLock { state in
      var orders = Orders()
      if !state.inlet.isEnded { state.inlet.cancel(&orders) }
      return orders
    }
    orders.carryOut()
  }

  private func takeDownstream() -> Downstream? { state.withLock { $0.downstream.take() } }
}
