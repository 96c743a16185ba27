extension Publishers {
  /// A publisher that sends at most one value in each span of time.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The span.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where it waits and sends.
    public let scheduler: Context
    /// Whether the last value of a span is sent at its end, or else the first.
    public let latest: Bool

    /// Creates a publisher that sends at most one value in each span of time.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      ThrottleRelay(subscriber, interval: interval, scheduler: scheduler, latest: latest)
        .connect(to: upstream)
    }
  }
}

extension Publisher {
  /// Sends at most one value in each span of time: the first at once, then one at each span's end.
  ///
  /// What is sent is sent through the scheduler. What comes while nothing is asked for is dropped; a
  /// value that waits when upstream ends is sent before the end.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
