extension Publishers {
  /// A publisher that sends a value once a given interval has passed without another value.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The time to wait after each value.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler that delivers values and the completion.
    public let scheduler: Context
    /// The options to pass to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that sends a value once the given interval has passed without another
    /// value.
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    private typealias Machine = DebounceMachine<Output, Failure, Context.SchedulerTimeType>

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      let runner = OperatorRunner(subscriber, Machine())
      runner.connect(
        to: upstream, requesting: .unlimited,
        receiveValue: { [self] value in
          let moment = scheduler.now.advanced(by: dueTime)
          if runner.update({ machine, _ in machine.take(value, until: moment) }).0 {
            schedule(runner, at: moment)
          }
          return .none
        },
        receiveCompletion: { [scheduler, options] completion in
          guard runner.update({ $0.end(&$1) }) else { return }
          scheduler.schedule(options: options) {
            runner.update { machine, _ in machine.output.complete(completion) }
          }
        })
    }

    private func schedule<S: Subscriber>(
      _ runner: OperatorRunner<Machine, S>, at moment: Context.SchedulerTimeType
    ) {
      // The scheduled time is used instead of the current time, because some schedulers run
      // closures immediately.
      scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
        if let next = runner.update({ machine, _ in machine.fire(at: moment) }).0 {
          schedule(runner, at: next)
        }
      }
    }
  }
}

/// The state of `debounce`: the latest value and its deadline.
private struct DebounceMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  SingleUpstreamMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  private var deadline = Deadline<Moment>()
  private var waiting: Value?

  init() {}

  /// Stores a value, which replaces the waiting value.
  ///
  /// - Returns: A Boolean value that indicates whether the caller must schedule a closure, and the
  ///   replaced value to release outside the lock.
  mutating func take(_ value: Value, until moment: Moment) -> (Bool, Value?) {
    guard acceptsValues else { return (false, nil) }
    defer { waiting = value }
    return (deadline.set(moment), waiting)
  }

  /// Sends the waiting value if its deadline has been reached.
  ///
  /// - Returns: The time to schedule another closure for, if any, and the replaced value to release
  ///   outside the lock.
  mutating func fire(at moment: Moment) -> (Moment?, Value?) {
    switch deadline.fire(at: moment) {
    case .postponed(let next): return (next, nil)
    case .cleared: return (nil, nil)
    case .reached:
      defer { waiting = nil }
      return (nil, waiting.flatMap { output.sendLatest($0) })
    }
  }

  /// Records that upstream has ended, and drops the waiting value, as in Combine.
  ///
  /// - Returns: `false` if upstream or the operator had already ended.
  mutating func end(_ calls: inout PendingCalls) -> Bool {
    guard output.isOpen, upstream.end(&calls) else { return false }
    dropWaiting(&calls)
    return true
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    dropWaiting(&calls)
  }

  private mutating func dropWaiting(_ calls: inout PendingCalls) {
    deadline.clear()
    calls.release(waiting)
    waiting = nil
  }
}

extension Publisher {
  /// Sends a value once the given interval has passed without another value.
  ///
  /// Values are sent on the scheduler if there is demand. Otherwise, the latest value is sent when
  /// it is requested. If this publisher ends while a value is waiting for the interval to pass,
  /// that value is dropped.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
