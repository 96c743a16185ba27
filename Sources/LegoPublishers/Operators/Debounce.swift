extension Publishers {
  /// A publisher that sends a value once no other has come for a while.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How long it waits.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// Where it waits and sends.
    public let scheduler: Context
    /// What each sending is given along.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that sends a value once no other has come for a while.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let output = DownstreamSubscription(subscriber)
      let alarm = Alarm(on: scheduler, options: options) { output.sendLatest($0) }
      let input = UpstreamSubscriber<Output, Failure>(
        value: { [dueTime] value in alarm.set(value, after: dueTime) },
        completion: { [scheduler, options] completion in
          // As in Combine, a value that still waits is dropped with the end.
          alarm.end()
          scheduler.schedule(options: options) { output.complete(completion) }
        })
      output.open(
        .init(cancel: {
          alarm.end()
          input.cancel()
        }))
      input.request(.unlimited)
      upstream.receive(subscriber: input)
    }
  }
}

extension Publisher {
  /// Sends a value once no other has come for a while.
  ///
  /// What is sent is sent through the scheduler. A value that waits when upstream ends is dropped.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
