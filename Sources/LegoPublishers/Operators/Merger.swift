internal import Synchronization

/// Mixes what several publishers send into one, each as it comes.
final class Merger<Downstream: Subscriber, Child: Publisher>: Sendable
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  private typealias ChildSubscriber = UpstreamSubscriber<Child.Output, Child.Failure>

  private struct State: Sendable {
    var children: [UInt64: ChildSubscriber] = [:]
    var numbers: UInt64 = 0
    var isUpstreamOver = false
    var isUnlimited = false
    var upstream: (any Source)?
    var isOver = false
  }

  private let output: DownstreamSubscription<Downstream>
  private let maxPublishers: Subscribers.Demand
  private let state = Mutex(State())

  init(_ downstream: Downstream, maxPublishers: Subscribers.Demand) {
    output = DownstreamSubscription(downstream)
    self.maxPublishers = maxPublishers
  }

  func connect<P: Publisher>(
    to upstream: P, _ transform: @escaping @Sendable (P.Output) -> Child
  ) where P.Failure == Child.Failure {
    let input = UpstreamSubscriber<P.Output, P.Failure>(
      value: { self.add(transform($0)) }, completion: { self.upstreamEnded($0) })
    state.withLock { $0.upstream = input }
    output.open(.init(request: { self.demandGrew($0) }, cancel: { self.cancel() }))
    input.request(maxPublishers)
    upstream.receive(subscriber: input)
  }

  private func add(_ child: Child) {
    let (number, isUnlimited) = state.withLock { state in
      state.numbers += 1
      return (state.numbers, state.isUnlimited)
    }
    let input = ChildSubscriber(
      value: { self.send($0, from: number) }, completion: { self.childEnded(number, $0) })
    let isOver = state.withLock { state in
      if !state.isOver { state.children[number] = input }
      return state.isOver
    }
    if isOver { return }
    input.request(isUnlimited ? .unlimited : .max(1))
    child.receive(subscriber: input)
  }

  private func send(_ value: Child.Output, from number: UInt64) {
    let isUnlimited = state.withLock { $0.isUnlimited }
    if isUnlimited { return output.send(value) }
    // The next one is asked for when this one was taken.
    output.send(value) { self.child(number)?.request(.max(1)) }
  }

  private func child(_ number: UInt64) -> ChildSubscriber? {
    state.withLock { $0.children[number] }
  }

  /// Each child has one value asked for or waiting, and is asked for all once all is wanted.
  private func demandGrew(_ demand: Subscribers.Demand) {
    guard demand == .unlimited else { return }
    let children = state.withLock { state -> [ChildSubscriber] in
      defer { state.isUnlimited = true }
      return state.isUnlimited ? [] : Array(state.children.values)
    }
    for child in children { child.request(.unlimited) }
  }

  private func childEnded(_ number: UInt64, _ completion: Subscribers.Completion<Child.Failure>) {
    if case .failure = completion { return output.end(completion) }
    let (isOver, upstream) = state.withLock { state in
      state.children[number] = nil
      return (state.isUpstreamOver && state.children.isEmpty, state.upstream)
    }
    if isOver { return output.finish() }
    if maxPublishers != .unlimited { upstream?.request(.max(1)) }
  }

  private func upstreamEnded(_ completion: Subscribers.Completion<Child.Failure>) {
    if case .failure = completion { return output.end(completion) }
    let isOver = state.withLock { state in
      state.isUpstreamOver = true
      return state.children.isEmpty
    }
    if isOver { output.finish() }
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
