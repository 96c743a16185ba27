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
      let runner = OperatorRunner(
        subscriber, DebounceMachine<Output, Failure, Context.SchedulerTimeType>())
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { subscription in
            guard runner.update({ $0.attach(subscription, &$1) }) else { return }
            runner.connect()
            subscription.request(.unlimited)
          },
          receiveValue: { [self] value in
            let moment = scheduler.now.advanced(by: dueTime)
            if runner.update({ machine, _ in machine.take(value, until: moment) }).0 {
              fire(runner, at: moment)
            }
            return .none
          },
          receiveCompletion: { [scheduler, options] completion in
            guard runner.update({ $0.end(&$1) }) else { return }
            scheduler.schedule(options: options) {
              runner.update { machine, _ in machine.output.complete(completion) }
            }
          }))
    }

    private func fire<S: Subscriber>(
      _ runner: OperatorRunner<DebounceMachine<Output, Failure, Context.SchedulerTimeType>, S>,
      at moment: Context.SchedulerTimeType
    ) {
      // The scheduler's word counts for the time: one that runs closures at once is always on time.
      scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
        if let next = runner.update({ machine, _ in machine.fire(at: moment) }).0 {
          fire(runner, at: next)
        }
      }
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

/// The state of `debounce`: the value that waits for silence.
struct DebounceMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>:
  OperatorMachine
{
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  var deadline = Deadline<Moment>()
  var waiting: Value?

  mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls) -> Bool {
    upstream.attach(subscription, &calls)
  }

  /// Takes a value, which waits in the place of the one before.
  ///
  /// - Returns: Whether a closure has to be scheduled, and what is to be freed.
  mutating func take(_ value: Value, until moment: Moment) -> (Bool, Value?) {
    guard upstream.subscription != nil, output.isOpen else { return (false, nil) }
    defer { waiting = value }
    return (deadline.set(moment), waiting)
  }

  /// Sends the value that waits, if its moment has come.
  ///
  /// - Returns: For when another closure has to be scheduled, and what is to be freed.
  mutating func fire(at moment: Moment) -> (Moment?, Value?) {
    switch deadline.fire(at: moment) {
    case .later(let next): return (next, nil)
    case .never: return (nil, nil)
    case .now:
      defer { waiting = nil }
      return (nil, waiting.flatMap { output.sendLatest($0) })
    }
  }

  /// Drops the value that waits, as Combine does.
  mutating func end(_ calls: inout PendingCalls) -> Bool {
    guard output.isOpen, upstream.end(&calls) else { return false }
    forget(&calls)
    return true
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    forget(&calls)
  }

  private mutating func forget(_ calls: inout PendingCalls) {
    deadline.clear()
    calls.release(waiting)
    waiting = nil
  }
}
