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
      let relay = ScheduledRelay(subscriber)
      let alarm = Alarm(on: scheduler, options: options) { [customError] (_: Void) in
        relay.output.end(customError.map { .failure($0()) } ?? .finished)
      }
      alarm.set((), after: interval)
      relay.connect(
        to: upstream, whenReceived: { [interval] in alarm.set((), after: interval) },
        whenStopped: { alarm.end() },
        through: { [scheduler, options] in scheduler.schedule(options: options, $0) })
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
