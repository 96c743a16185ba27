extension Publishers {
  /// A publisher that sends at most one value per interval.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The minimum time between two values.
    public let interval: Context.SchedulerTimeType.Stride
    /// The scheduler that delivers values and the completion.
    public let scheduler: Context
    /// A Boolean value that indicates whether to send the latest value of an interval instead of
    /// the first.
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

    /// Attaches the given subscriber to this publisher.
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

/// The state of `throttle`: the next value to send, and the earliest time to send it.
private struct ThrottleMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  SingleUpstreamMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The time before which no value is sent.
  private var earliest: Moment?
  /// The value that a scheduled closure will send.
  private var waiting: Value?
  private var completion: Subscribers.Completion<Failure>?
  private let latest: Bool

  init(latest: Bool) { self.latest = latest }

  /// The time for which the caller must schedule a closure.
  enum Schedule: Sendable {
    case now
    case at(Moment)
    case never
  }

  /// Stores a value to send, or drops it.
  ///
  /// A value that arrives when there is no demand is dropped, as in Combine. If a value is already
  /// waiting, the new value replaces it if `latest` is `true`, and is dropped otherwise.
  ///
  /// - Returns: The time to schedule a closure for, and the replaced value to release outside the
  ///   lock.
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

  /// Stores the completion, which is sent after the waiting value, if there is one.
  ///
  /// - Returns: The time to schedule a closure for.
  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) -> Schedule {
    guard output.isOpen, upstream.end(&calls) else { return .never }
    self.completion = completion
    return waiting == nil ? .now : .never
  }

  /// Sends the waiting value, if any, and then the completion, if any.
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
  /// Sends at most one value per interval.
  ///
  /// A value is sent immediately if it is the first, or if the interval has passed since the
  /// previous value was sent. If values arrive sooner, one of them is sent at the end of the
  /// interval: the latest one if `latest` is `true`, and otherwise the first one.
  ///
  /// Values are sent on the scheduler. A value that arrives when there is no demand is dropped. If
  /// this publisher ends while a value is waiting, the value is sent before the completion.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
