internal import Synchronization

extension Publishers {
  /// A publisher that ends if the upstream publisher sends no value within a given interval.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The maximum time to wait for a value.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that delivers values and the completion.
    public let scheduler: Context
    /// The options to pass to the scheduler.
    public let options: Context.SchedulerOptions?
    /// A closure that returns the error to fail with.
    ///
    /// If it is `nil`, the publisher finishes normally.
    public let customError: (@Sendable () -> Failure)?

    /// Creates a publisher that ends if the upstream publisher sends no value within the given
    /// interval.
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

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
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
  /// Ends if this publisher sends no value within the given interval.
  ///
  /// Values and the completion are delivered on the scheduler.
  ///
  /// - Parameters:
  ///   - interval: The maximum time to wait for a value.
  ///   - scheduler: The scheduler that delivers values and the completion.
  ///   - options: The options to pass to the scheduler.
  ///   - customError: A closure that returns the error to fail with. If it is `nil`, the publisher
  ///     finishes normally.
  /// - Returns: A publisher that sends the same values until it ends.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}

/// Ends an operator if upstream sends no value within an interval.
private final class TimeoutTimer<Context: Scheduler, Downstream: Subscriber>: Cancellable {
  typealias Runner =
    OperatorRunner<ScheduledMachine<Downstream.Input, Downstream.Failure>, Downstream>
  typealias Moment = Context.SchedulerTimeType

  /// The operator and the settings of its timeout.
  ///
  /// This state is released when the operator ends, even if a scheduler keeps its closure for much
  /// longer.
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

  /// Sets the deadline to one full interval from now.
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
