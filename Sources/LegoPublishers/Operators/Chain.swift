internal import Synchronization

/// Passes on what one publisher after another sends, each asked for what is still wanted.
final class Chain<Downstream: Subscriber>: Sendable {
  private struct State: Sendable {
    var isStopped = false
    var current: (any Source)?
  }

  let outlet: Outlet<Downstream>
  private let state = Mutex(State())

  init(_ downstream: Downstream) {
    outlet = Outlet(downstream)
  }

  /// Connects the subscriber.
  ///
  /// - Parameter stopped: Called once the subscriber cancels or has been told the end.
  func open(whenStopped stopped: @escaping @Sendable () -> Void = {}) {
    outlet.open(
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
    let inlet = Inlet<P.Output, P.Failure>(
      value: { [outlet] in outlet.send($0) }, completion: whenEnded)
    let (former, isStopped) = state.withLock { state in
      defer { if !state.isStopped { state.current = inlet } }
      return (state.current, state.isStopped)
    }
    former?.cancel()
    if isStopped { return }
    inlet.request(outlet.demand)
    publisher.receive(subscriber: inlet)
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
