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
      let watch = TimeoutWatch(input.joint, self)
      input.joint.read { $0.watch = watch }
      input.received = { watch.restart() }
      input.connect()
      watch.restart()
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

/// Ends an operator when nothing has come for too long.
final class TimeoutWatch<Context: Scheduler, Downstream: Subscriber>: Cancellable {
  typealias Target = Joint<ScheduledMachine<Downstream.Input, Downstream.Failure>, Downstream>
  typealias Moment = Context.SchedulerTimeType

  /// What is watched, and how; all of it goes when the operator is over, though a scheduler may hold
  /// the closure for much longer.
  private struct Live: Sendable {
    let target: Target
    let interval: Moment.Stride
    let scheduler: Context
    let options: Context.SchedulerOptions?
    let customError: (@Sendable () -> Downstream.Failure)?
    var deadline = Deadline<Moment>()
  }

  private let live: Mutex<Live?>

  init<P: Publisher>(_ target: Target, _ timeout: Publishers.Timeout<P, Context>)
  where P.Failure == Downstream.Failure {
    live = Mutex(
      Live(
        target: target, interval: timeout.interval, scheduler: timeout.scheduler,
        options: timeout.options, customError: timeout.customError))
  }

  /// Puts the end off to a full interval from now.
  func restart() {
    guard let known = live.withLock({ $0 }) else { return }
    let moment = known.scheduler.now.advanced(by: known.interval)
    if live.withLock({ $0?.deadline.set(moment) ?? false }) { schedule(known, at: moment) }
  }

  func cancel() {
    let old = live.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  private func schedule(_ known: Live, at moment: Moment) {
    known.scheduler.schedule(
      after: moment, tolerance: known.scheduler.minimumTolerance, options: known.options
    ) { self.ring(at: moment) }
  }

  private func ring(at moment: Moment) {
    let (known, ring) = live.withLock { ($0, $0?.deadline.ring(at: moment) ?? .never) }
    guard let known else { return }
    switch ring {
    case .later(let next): schedule(known, at: next)
    case .now:
      let end = known.customError.map { Subscribers.Completion.failure($0()) } ?? .finished
      known.target.update { $0.stop(end, &$1) }
    case .never: break
    }
  }
}
