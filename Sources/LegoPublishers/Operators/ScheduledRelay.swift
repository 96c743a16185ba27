internal import Synchronization

/// Passes on events through a scheduler, in the order they came even if the scheduler has none.
final class ScheduledRelay<Downstream: Subscriber>: Sendable {
  private enum Event: Sendable {
    case value(Downstream.Input)
    case completion(Subscribers.Completion<Downstream.Failure>)
  }

  private struct State: ~Copyable {
    var events = Queue<Event>()
    /// How many events the scheduler has called for and that were not sent yet.
    var due = 0
    /// Whether somebody sends: whoever else is called leaves its event to them.
    var isSending = false
  }

  let output: DownstreamSubscription<Downstream>
  private let state = Mutex(State())

  init(_ downstream: Downstream) {
    output = DownstreamSubscription(downstream)
  }

  /// Connects to upstream.
  ///
  /// - Parameters:
  ///   - upstream: Where the events come from.
  ///   - received: Called at each value, before it is scheduled.
  ///   - stopped: Called when no more can come, perhaps more than once.
  ///   - schedule: Schedules the passing on of one event.
  func connect<P: Publisher>(
    to upstream: P, whenReceived received: @escaping @Sendable () -> Void = {},
    whenStopped stopped: @escaping @Sendable () -> Void = {},
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    let input = UpstreamSubscriber<P.Output, P.Failure>(
      value: { value in
        received()
        self.add(.value(value), schedule)
      },
      completion: { completion in
        stopped()
        self.add(.completion(completion), schedule)
      })
    output.open(
      .init(
        request: { input.request($0) },
        cancel: {
          stopped()
          self.forget()
          input.cancel()
        }))
    upstream.receive(subscriber: input)
  }

  private func add(
    _ event: Event, _ schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    state.withLock { $0.events.append(event) }
    schedule { self.passOn() }
  }

  /// Forgets the events whose closures may be scheduled for much later.
  private func forget() {
    let old = state.withLock { state in
      defer { state.events = Queue() }
      return state.events
    }
    withExtendedLifetime(old) {}
  }

  /// Sends one event for each call, one at a time: a scheduler may run two closures at once, and
  /// then the later event could overtake the earlier one, or the end the last value.
  private func passOn() {
    let isMine = state.withLock { state in
      state.due += 1
      defer { state.isSending = true }
      return !state.isSending
    }
    guard isMine else { return }
    while let event = nextDue() {
      switch event {
      case .value(let value): output.send(value)
      case .completion(let completion): output.complete(completion)
      }
    }
  }

  /// The next event that is due; `nil` when there is none, and then nobody sends any more.
  private func nextDue() -> Event? {
    state.withLock { state in
      guard state.due > 0, let event = state.events.popFirst() else {
        state.due = 0
        state.isSending = false
        return nil
      }
      state.due -= 1
      return event
    }
  }
}
