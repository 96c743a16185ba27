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
      let runner = OperatorRunner(
        subscriber,
        ThrottleMachine<Output, Failure, Context.SchedulerTimeType>(latest: latest))
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { subscription in
            guard runner.update({ $0.attach(subscription, &$1) }) else { return }
            runner.connect()
            subscription.request(.unlimited)
          },
          receiveValue: { [self] value in
            let now = scheduler.now
            schedule(runner, runner.update { machine, _ in machine.take(value, at: now) }.0)
            return .none
          },
          receiveCompletion: { [self] completion in
            schedule(runner, runner.update { $0.end(completion, &$1) })
          }))
    }

    private func schedule<S: Subscriber>(
      _ runner: OperatorRunner<ThrottleMachine<Output, Failure, Context.SchedulerTimeType>, S>,
      _ moment: ThrottleMachine<Output, Failure, Context.SchedulerTimeType>.Schedule
    ) {
      let pass: @Sendable () -> Void = { [scheduler, interval] in
        let earliest = scheduler.now.advanced(by: interval)
        runner.update { machine, _ in machine.pass(next: earliest) }
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

/// The state of `throttle`: when the next value may be sent, and which.
struct ThrottleMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  OperatorMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The moment before which no value is sent.
  var earliest: Moment?
  /// The value that a closure is scheduled to send.
  var waiting: Value?
  var completion: Subscribers.Completion<Failure>?
  let latest: Bool

  init(latest: Bool) {
    self.latest = latest
  }

  /// When a closure has to be scheduled.
  enum Schedule: Sendable {
    case now
    case at(Moment)
    case never
  }

  mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls) -> Bool {
    upstream.attach(subscription, &calls)
  }

  /// Takes a value, unless nothing is wanted: then it is dropped, as in Combine.
  ///
  /// - Returns: When a closure has to be scheduled, and what is to be freed.
  mutating func take(_ value: Value, at now: Moment) -> (Schedule, Value?) {
    guard upstream.subscription != nil, output.isOpen, completion == nil, output.unmetDemand > .none
    else { return (.never, nil) }
    if waiting != nil {
      guard latest else { return (.never, nil) }
      defer { waiting = value }
      return (.never, waiting)
    }
    waiting = value
    if let earliest, earliest > now { return (.at(earliest), nil) }
    return (.now, nil)
  }

  /// Takes the end, which comes with the value that waits, and otherwise at once.
  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) -> Schedule {
    guard output.isOpen, upstream.end(&calls) else { return .never }
    self.completion = completion
    return waiting == nil ? .now : .never
  }

  /// Sends what waits; the next value waits until the opening.
  mutating func pass(next earliest: Moment) {
    self.earliest = earliest
    if let waiting { output.send(waiting) }
    waiting = nil
    if let completion { output.complete(completion) }
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    calls.release(waiting)
    waiting = nil
  }
}
