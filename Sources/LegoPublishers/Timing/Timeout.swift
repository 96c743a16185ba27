internal import Synchronization

extension Publishers {
  /// A publisher that ends when upstream sends nothing for too long.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How long is too long.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where it waits.
    public let scheduler: Context
    /// What each waiting is given along.
    public let options: Context.SchedulerOptions?
    /// Makes the failure it ends with; it finishes when there is none.
    public let customError: (@Sendable () -> Failure)?

    /// Creates a publisher that ends when upstream sends nothing for too long.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (@Sendable () -> Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      var input = ScheduledSubscriber(subscriber) { [scheduler, options] action in
        scheduler.schedule(options: options, action)
      }
      let timer = TimeoutTimer(input.runner, self)
      input.runner.read { $0.timer = timer }
      input.received = { timer.restart() }
      input.connect()
      timer.restart()
      upstream.receive(subscriber: input)
    }
  }
}

extension Publisher {
  /// Ends when upstream sends nothing for too long: with a failure, or normally without one.
  ///
  /// All that upstream sends is passed on through the scheduler.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}

/// Ends an operator if upstream sends no value for some time.
private final class TimeoutTimer<Context: Scheduler, Downstream: Subscriber>: Cancellable {
  typealias Runner = OperatorRunner<
    ScheduledMachine<Downstream.Input, Downstream.Failure>, Downstream
  >
  typealias Moment = Context.SchedulerTimeType

  /// The operator and its timeout.
  ///
  /// All of it is freed at the end, even if a scheduler holds the closure for much longer.
  private struct State: Sendable {
    let runner: Runner
    let interval: Moment.Stride
    let scheduler: Context
    let options: Context.SchedulerOptions?
    let customError: (@Sendable () -> Downstream.Failure)?
    var deadline = Deadline<Moment>()
  }

  private let state: Mutex<State?>

  init<P: Publisher>(_ runner: Runner, _ timeout: Publishers.Timeout<P, Context>)
  where P.Failure == Downstream.Failure {
    state = Mutex(
      State(
        runner: runner, interval: timeout.interval, scheduler: timeout.scheduler,
        options: timeout.options, customError: timeout.customError))
  }

  /// Postpones the end to a full interval from now.
  func restart() {
    guard let timeout = state.withLock({ $0 }) else { return }
    let moment = timeout.scheduler.now.advanced(by: timeout.interval)
    if state.withLock({ $0?.deadline.set(moment) ?? false }) { schedule(timeout, at: moment) }
  }

  func cancel() {
    let old = state.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  private func schedule(_ timeout: State, at moment: Moment) {
    timeout.scheduler.schedule(
      after: moment, tolerance: timeout.scheduler.minimumTolerance, options: timeout.options
    ) { self.fire(at: moment) }
  }

  private func fire(at moment: Moment) {
    let (timeout, outcome) = state.withLock { ($0, $0?.deadline.fire(at: moment) ?? .cleared) }
    guard let timeout else { return }
    switch outcome {
    case .postponed(let next): schedule(timeout, at: next)
    case .reached:
      let end = timeout.customError.map { Subscribers.Completion.failure($0()) } ?? .finished
      timeout.runner.update { $0.stop(end, &$1) }
    case .cleared: break
    }
  }
}
