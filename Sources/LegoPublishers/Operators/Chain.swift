internal import Synchronization

/// Passes on what one publisher after another sends, each asked for what is still wanted.
final class Chain<Downstream: Subscriber>: Sendable {
  private struct State: Sendable {
    var isStopped = false
    var current: (any Source)?
  }

  let output: DownstreamSubscription<Downstream>
  private let state = Mutex(State())

  init(_ downstream: Downstream) {
    output = DownstreamSubscription(downstream)
  }

  /// Connects the subscriber.
  ///
  /// - Parameter stopped: Called once the subscriber cancels or has been told the end.
  func open(whenStopped stopped: @escaping @Sendable () -> Void = {}) {
    output.open(
      .init(
        request: { [weak self] demand in self?.current?.request(demand) },
        cancel: {
          self.stop()
          stopped()
        }))
  }

  /// Goes on with a publisher in the place of the one before, unless the subscriber has cancelled.
  func start<P: Publisher>(
    _ publisher: P, whenEnded: @escaping @Sendable (Subscribers.Completion<P.Failure>) -> Void
  ) where P.Output == Downstream.Input {
    let input = UpstreamSubscriber<P.Output, P.Failure>(
      value: { [output] in output.send($0) }, completion: whenEnded)
    let (former, isStopped) = state.withLock { state in
      defer { if !state.isStopped { state.current = input } }
      return (state.current, state.isStopped)
    }
    former?.cancel()
    if isStopped { return }
    input.request(output.demand)
    publisher.receive(subscriber: input)
  }

  private var current: (any Source)? { state.withLock { $0.current } }

  private func stop() {
    let current = state.withLock { state in
      state.isStopped = true
      defer { state.current = nil }
      return state.current
    }
    current?.cancel()
  }
}
