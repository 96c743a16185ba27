internal import Synchronization

/// Passes on at most one value in each span of time.
final class ThrottleRelay<Downstream: Subscriber, Context: Scheduler>: Sendable {
  private typealias Completion = Subscribers.Completion<Downstream.Failure>

  private struct State: Sendable {
    /// The moment before which no value is sent.
    var opening: Context.SchedulerTimeType?
    /// The value that a closure is scheduled to send.
    var waiting: Downstream.Input?
    var completion: Completion?

    var isScheduled: Bool { waiting != nil || completion != nil }
  }

  private let output: DownstreamSubscription<Downstream>
  private let interval: Context.SchedulerTimeType.Stride
  private let scheduler: Context
  private let latest: Bool
  private let state = Mutex(State())

  init(
    _ downstream: Downstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
    latest: Bool
  ) {
    output = DownstreamSubscription(downstream)
    self.interval = interval
    self.scheduler = scheduler
    self.latest = latest
  }

  func connect<P: Publisher>(to upstream: P)
  where P.Output == Downstream.Input, P.Failure == Downstream.Failure {
    let input = UpstreamSubscriber<P.Output, P.Failure>(
      value: { self.add($0) }, completion: { self.end($0) })
    output.open(
      .init(cancel: {
        self.stop()
        input.cancel()
      }))
    input.request(.unlimited)
    upstream.receive(subscriber: input)
  }

  private func add(_ value: Downstream.Input) {
    // As in Combine, what comes while nothing is wanted is dropped.
    guard output.demand > .none else { return }
    let now = scheduler.now
    let (isFirst, opening) = state.withLock { state in
      let isFirst = !state.isScheduled
      if isFirst || latest { state.waiting = value }
      return (isFirst, state.opening)
    }
    guard isFirst else { return }
    if let opening, opening > now {
      scheduler.schedule(after: opening) { self.pass() }
    } else {
      scheduler.schedule { self.pass() }
    }
  }

  /// The end comes with the value that waits, and otherwise at once.
  private func end(_ completion: Completion) {
    let isFirst = state.withLock { state in
      defer { state.completion = completion }
      return !state.isScheduled
    }
    if isFirst { scheduler.schedule { self.pass() } }
  }

  /// Forgets what waits, whose closure may be scheduled for much later.
  private func stop() {
    let old = state.withLock { state in
      defer { state = State() }
      return state
    }
    withExtendedLifetime(old) {}
  }

  private func pass() {
    let opening = scheduler.now.advanced(by: interval)
    let (value, completion) = state.withLock { state in
      state.opening = opening
      defer { state.waiting = nil }
      return (state.waiting, state.completion)
    }
    if let value { output.send(value) }
    if let completion { output.complete(completion) }
  }
}
