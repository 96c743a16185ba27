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
      let joint = Joint(
        subscriber, DebounceMachine<Output, Failure, Context.SchedulerTimeType>())
      upstream.receive(
        subscriber: AnySubscriber<Output, Failure>(
          receiveSubscription: { subscription in
            guard joint.update({ $0.attach(subscription, &$1) }) else { return }
            joint.connect()
            subscription.request(.unlimited)
          },
          receiveValue: { [self] value in
            let moment = scheduler.now.advanced(by: dueTime)
            if joint.update({ machine, _ in machine.take(value, until: moment) }).0 {
              ring(joint, at: moment)
            }
            return .none
          },
          receiveCompletion: { [scheduler, options] completion in
            guard joint.update({ $0.end(&$1) }) else { return }
            scheduler.schedule(options: options) {
              joint.update { machine, _ in machine.outlet.complete(completion) }
            }
          }))
    }

    private func ring<S: Subscriber>(
      _ joint: Joint<DebounceMachine<Output, Failure, Context.SchedulerTimeType>, S>,
      at moment: Context.SchedulerTimeType
    ) {
      // The scheduler's word counts for the time: one that runs closures at once is always on time.
      scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
        if let next = joint.update({ machine, _ in machine.ring(at: moment) }).0 {
          ring(joint, at: next)
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
struct DebounceMachine<Value: Sendable, Failure: Error, Moment: Comparable & Sendable>: JoinMachine
{
  var outlet = Outlet<Value, Failure>()
  var upstream = Inlet()
  var deadline = Deadline<Moment>()
  var waiting: Value?

  mutating func attach(_ subscription: any Subscription, _ orders: inout Orders) -> Bool {
    upstream.attach(subscription, &orders)
  }

  /// Takes a value, which waits in the place of the one before.
  ///
  /// - Returns: Whether a closure has to be scheduled, and what is to be freed.
  mutating func take(_ value: Value, until moment: Moment) -> (Bool, Value?) {
    guard upstream.subscription != nil, outlet.isOpen else { return (false, nil) }
    defer { waiting = value }
    return (deadline.set(moment), waiting)
  }

  /// Sends the value that waits, if its moment has come.
  ///
  /// - Returns: For when another closure has to be scheduled, and what is to be freed.
  mutating func ring(at moment: Moment) -> (Moment?, Value?) {
    switch deadline.ring(at: moment) {
    case .later(let next): return (next, nil)
    case .never: return (nil, nil)
    case .now:
      defer { waiting = nil }
      return (nil, waiting.flatMap { outlet.sendLatest($0) })
    }
  }

  /// Drops the value that waits, as Combine does.
  mutating func end(_ orders: inout Orders) -> Bool {
    guard outlet.isOpen, upstream.end(&orders) else { return false }
    forget(&orders)
    return true
  }

  mutating func cancel(_ orders: inout Orders) {
    upstream.cancel(&orders)
    forget(&orders)
  }

  private mutating func forget(_ orders: inout Orders) {
    deadline.clear()
    orders.drop(waiting)
    waiting = nil
  }
}
