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
      let joint = Joint(
        subscriber,
        ThrottleMachine<Output, Failure, Context.SchedulerTimeType>(latest: latest))
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { subscription in
            guard joint.update({ $0.attach(subscription, &$1) }) else { return }
            joint.connect()
            subscription.request(.unlimited)
          },
          receiveValue: { [self] value in
            let now = scheduler.now
            schedule(joint, joint.update { machine, _ in machine.take(value, at: now) }.0)
            return .none
          },
          receiveCompletion: { [self] completion in
            schedule(joint, joint.update { $0.end(completion, &$1) })
          }))
    }

    private func schedule<S: Subscriber>(
      _ joint: Joint<ThrottleMachine<Output, Failure, Context.SchedulerTimeType>, S>,
      _ moment: ThrottleMachine<Output, Failure, Context.SchedulerTimeType>.Schedule
    ) {
      let pass: @Sendable () -> Void = { [scheduler, interval] in
        let opening = scheduler.now.advanced(by: interval)
        joint.update { machine, _ in machine.pass(next: opening) }
      }
      switch moment {
      case .now: scheduler.schedule(pass)
      case .at(let moment): scheduler.schedule(after: moment, pass)
      case .never: break
      }
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
