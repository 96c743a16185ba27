internal import Synchronization

/// Passes on what the latest of several publishers sends.
final class Switcher<Downstream: Subscriber, Child: Publisher>: Sendable
where Child.Output == Downstream.Input, Child.Failure == Downstream.Failure {
  private struct State: Sendable {
    /// The number of the latest child, and whether it is still open.
    var number: UInt64 = 0
    var isChildOpen = false
    var isUpstreamOpen = true

    var isOver: Bool { !isChildOpen && !isUpstreamOpen }
  }

  private let chain: Chain<Downstream>
  private let state = Mutex(State())

  init(_ downstream: Downstream) {
    chain = Chain(downstream)
  }

  func connect<P: Publisher>(to upstream: P)
  where P.Output == Child, P.Failure == Child.Failure {
    let input = UpstreamSubscriber<Child, Child.Failure>(
      value: { self.follow($0) },
      completion: { completion in self.end(completion) { $0.isUpstreamOpen = false } })
    chain.open { input.cancel() }
    input.request(.unlimited)
    upstream.receive(subscriber: input)
  }

  private func follow(_ child: Child) {
    let number = state.withLock { state in
      state.number += 1
      state.isChildOpen = true
      return state.number
    }
    chain.start(child) { completion in
      self.end(completion) { if $0.number == number { $0.isChildOpen = false } }
    }
  }

  private func end(
    _ completion: Subscribers.Completion<Child.Failure>, _ update: (inout State) -> Void
  ) {
    if case .failure = completion { return chain.output.complete(completion) }
    let isOver = state.withLock { state in
      update(&state)
      return state.isOver
    }
    if isOver { chain.output.finish() }
  }
}
