extension Publishers {
  /// A publisher that sends at most one value per interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The minimum time between two values.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler on which values are sent.
    public let scheduler: Context
    /// A Boolean value that indicates whether the last value of an interval is sent, not the first.
    public let latest: Bool

    /// Creates a publisher that sends at most one value per interval.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    private typealias Machine = ThrottleMachine<Output, Failure, Context.SchedulerTimeType>

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, Machine(latest: latest))
      runner.connect(
        to: upstream, requesting: .unlimited,
        receiveValue: { [self] value in
          let now = scheduler.now
          schedule(runner, runner.update { machine, _ in machine.take(value, at: now) }.0)
          return .none
        },
        receiveCompletion: { [self] completion in
          schedule(runner, runner.update { $0.end(completion, &$1) })
        })
    }

    private func schedule<S: Subscriber>(
      _ runner: OperatorRunner<Machine, S>, _ schedule: Machine.Schedule
    ) {
      let send: @Sendable () -> Void = { [scheduler, interval] in
        let next = scheduler.now.advanced(by: interval)
        runner.update { machine, _ in machine.send(nextAt: next) }
      }
      switch schedule {
      case .now: scheduler.schedule(send)
      case .at(let moment): scheduler.schedule(after: moment, send)
      case .never: break
      }
    }
  }
}

/// The state of `throttle`: the next value to send, and its earliest moment.
private struct ThrottleMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  SingleUpstreamMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The moment before which no value is sent.
  private var earliest: Moment?
  /// The value that a scheduled closure will send.
  private var waiting: Value?
  private var completion: Subscribers.Completion<Failure>?
  private let latest: Bool

  init(latest: Bool) { self.latest = latest }

  /// The moment for which the caller must schedule a closure.
  enum Schedule: Sendable {
    case now
    case at(Moment)
    case never
  }

  /// Takes a value, or drops it as Combine does if there is no demand.
  ///
  /// - Returns: The closure to schedule, and the value to free.
  mutating func take(_ value: Value, at now: Moment) -> (Schedule, Value?) {
    guard acceptsValues, completion == nil, output.unmetDemand > .none else {
      return (.never, nil)
    }
    if waiting != nil {
      guard latest else { return (.never, nil) }
      defer { waiting = value }
      return (.never, waiting)
    }
    waiting = value
    if let earliest, earliest > now { return (.at(earliest), nil) }
    return (.now, nil)
  }

  /// Takes the completion, which follows the waiting value.
  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) -> Schedule {
    guard output.isOpen, upstream.end(&calls) else { return .never }
    self.completion = completion
    return waiting == nil ? .now : .never
  }

  /// Sends the waiting value, and the completion if there is one.
  mutating func send(nextAt earliest: Moment) {
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

extension Publisher {
  /// Sends at most one value per interval: the first at once, and one at the end of each interval.
  ///
  /// Values are sent on the scheduler. A value that arrives without demand is dropped. A value that
  /// waits when this publisher ends is sent before the completion.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
