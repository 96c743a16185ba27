extension Publishers {
  /// A publisher that sends a value once a given interval passes without another value from
  /// upstream.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The time to wait after a value.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// The scheduler on which values are sent.
    public let scheduler: Context
    /// The options for the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that sends a value once upstream has sent no other for some time.
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

    /// Connects a subscriber.
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
      // The closure counts as on time, because some schedulers run closures at once.
      scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
        if let next = runner.update({ machine, _ in machine.fire(at: moment) }).0 {
          schedule(runner, at: next)
        }
      }
    }
  }
}

/// The state of `debounce`: the latest value, which waits until its deadline.
private struct DebounceMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  SingleUpstreamMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  private var deadline = Deadline<Moment>()
  private var waiting: Value?

  init() {}

  /// Takes a value, which replaces the previous one.
  ///
  /// - Returns: Whether the caller must schedule a closure, and the value to free.
  mutating func take(_ value: Value, until moment: Moment) -> (Bool, Value?) {
    guard acceptsValues else { return (false, nil) }
    defer { waiting = value }
    return (deadline.set(moment), waiting)
  }

  /// Sends the waiting value, if its deadline is reached.
  ///
  /// - Returns: The moment to schedule another closure for, and the value to free.
  mutating func fire(at moment: Moment) -> (Moment?, Value?) {
    switch deadline.fire(at: moment) {
    case .postponed(let next): return (next, nil)
    case .cleared: return (nil, nil)
    case .reached:
      defer { waiting = nil }
      return (nil, waiting.flatMap { output.sendLatest($0) })
    }
  }

  /// Ends, and drops the waiting value as Combine does.
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
  /// Sends a value once this publisher has sent no other for some time.
  ///
  /// Values are sent on the scheduler. A value that waits when this publisher ends is dropped.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
