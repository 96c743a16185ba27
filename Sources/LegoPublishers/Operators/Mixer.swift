internal import Synchronization

/// Mixes what several publishers send into one, each as it comes.
final class Mixer<Downstream: Subscriber, Child: Publisher>: Sendable
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  private typealias ChildInlet = Inlet<Child.Output, Child.Failure>

  private struct State: Sendable {
    var children: [UInt64: ChildInlet] = [:]
    var numbers: UInt64 = 0
    var isUpstreamOver = false
    var isUnlimited = false
    var upstream: (any Source)?
    var isOver = false
  }

  private let outlet: Outlet<Downstream>
  private let maxPublishers: Subscribers.Demand
  private let state = Mutex(State())

  init(_ downstream: Downstream, maxPublishers: Subscribers.Demand) {
    outlet = Outlet(downstream)
    self.maxPublishers = maxPublishers
  }

  func connect<P: Publisher>(
    to upstream: P, _ transform: @escaping @Sendable (P.Output) -> Child
  ) where P.Failure == Child.Failure {
    let inlet = Inlet<P.Output, P.Failure>(
      value: { self.add(transform($0)) }, completion: { self.upstreamEnded($0) })
    state.withLock { $0.upstream = inlet }
    outlet.open(.init(request: { self.demandGrew($0) }, cancel: { self.cancel() }))
    inlet.request(maxPublishers)
    upstream.receive(subscriber: inlet)
  }

  private func add(_ child: Child) {
    let (number, isUnlimited) = state.withLock { state in
      state.numbers += 1
      return (state.numbers, state.isUnlimited)
    }
    let inlet = ChildInlet(
      value: { self.send($0, from: number) }, completion: { self.childEnded(number, $0) })
    let isOver = state.withLock { state in
      if !state.isOver { state.children[number] = inlet }
      return state.isOver
    }
    if isOver { return }
    inlet.request(isUnlimited ? .unlimited : .max(1))
    child.receive(subscriber: inlet)
  }

  private func send(_ value: Child.Output, from number: UInt64) {
    let isUnlimited = state.withLock { $0.isUnlimited }
    if isUnlimited { return outlet.send(value) }
    // The next one is asked for when this one was taken.
    outlet.send(value) { self.child(number)?.request(.max(1)) }
  }

  private func child(_ number: UInt64) -> ChildInlet? {
    state.withLock { $0.children[number] }
  }

  /// Each child has one value asked for or waiting, and is asked for all once all is wanted.
  private func demandGrew(_ demand: Subscribers.Demand) {
    guard demand == .unlimited else { return }
    let children = state.withLock { state -> [ChildInlet] in
      defer { state.isUnlimited = true }
      return state.isUnlimited ? [] : Array(state.children.values)
    }
    for child in children { child.request(.unlimited) }
  }

  private func childEnded(_ number: UInt64, _ completion: Subscribers.Completion<Child.Failure>) {
    if case .failure = completion { return outlet.end(completion) }
    let (isOver, upstream) = state.withLock { state in
      state.children[number] = nil
      return (state.isUpstreamOver && state.children.isEmpty, state.upstream)
    }
    if isOver { return outlet.finish() }
    if maxPublishers != .unlimited { upstream?.request(.max(1)) }
  }

  private func upstreamEnded(_ completion: Subscribers.Completion<Child.Failure>) {
    if case .failure = completion { return outlet.end(completion) }
    let isOver = state.withLock { state in
      state.isUpstreamOver = true
      return state.children.isEmpty
    }
    if isOver { outlet.finish() }
  }

  private func cancel() {
    let old = state.withLock { state in
      defer {
        state = State()
        state.isOver = true
      }
      return state
    }
    old.upstream?.cancel()
    for child in old.children.values { child.cancel() }
  }
}
