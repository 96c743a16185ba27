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
