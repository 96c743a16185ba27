internal import Synchronization

/// Passes on events through a scheduler, in the order they came even if the scheduler has none.
final class ScheduledRelay<Downstream: Subscriber>: Sendable {
  private enum Event: Sendable {
    case value(Downstream.Input)
    case completion(Subscribers.Completion<Downstream.Failure>)
  }

  let outlet: Outlet<Downstream>
  private let events = Mutex(Queue<Event>())

  init(_ downstream: Downstream) {
    outlet = Outlet(downstream)
  }

  /// Connects to upstream; each event goes through `schedule`.
  func connect<P: Publisher>(
    to upstream: P, isFailureDelayed: Bool = true,
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    let inlet = Inlet<P.Output, P.Failure>(
      value: { self.add(.value($0), schedule) },
      completion: { completion in
        if case .failure = completion, !isFailureDelayed { return self.outlet.end(completion) }
        self.add(.completion(completion), schedule)
      })
    outlet.open(.init(request: { inlet.request($0) }, cancel: { inlet.cancel() }))
    upstream.receive(subscriber: inlet)
  }

  private func add(
    _ event: Event, _ schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    events.withLock { $0.append(event) }
    schedule { self.passOn() }
  }

  private func passOn() {
    switch events.withLock({ $0.popFirst() }) {
    case .value(let value): outlet.send(value)
    case .completion(.finished): outlet.finish()
    case .completion(let failure): outlet.end(failure)
    case nil: break
    }
  }
}
