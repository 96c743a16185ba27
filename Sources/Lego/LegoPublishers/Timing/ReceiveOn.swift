extension Publishers {
  /// A publisher that sends on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler on which everything is sent.
    public let scheduler: Context
    /// The options for the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that sends on a scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: ScheduledSubscriber(subscriber) { [scheduler, options] action in
          scheduler.schedule(options: options, action)
        })
    }
  }

  /// A publisher that delays everything.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The delay.
    public let interval: Context.SchedulerTimeType.Stride
    /// The tolerance of the delay.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// The scheduler on which everything is sent.
    public let scheduler: Context
    /// The options for the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delays everything, including the completion.
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride,
      tolerance: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: ScheduledSubscriber(subscriber) { [self] action in
          scheduler.schedule(
            after: scheduler.now.advanced(by: interval), tolerance: tolerance, options: options,
            action)
        })
    }
  }
}

extension Publisher {
  /// Sends values and the completion on a scheduler, in order.
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Delays everything in order, including the completion and a failure.
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil,
    scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance,
      scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// A publisher that connects and requests values on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler on which upstream is connected.
    public let scheduler: Context
    /// The options for the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that connects and requests values on a scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber, later.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      scheduler.schedule(options: options) {
        upstream.receive(
          subscriber: AnySubscriber<Output, Failure>(
            receiveSubscription: {
              subscriber.receive(subscription: Requests(subscription: $0, publisher: self))
            },
            receiveValue: { subscriber.receive($0) },
            receiveCompletion: { subscriber.receive(completion: $0) }))
      }
    }

    /// A subscription that requests values on the scheduler, and cancels at once.
    private struct Requests: Subscription {
      let subscription: any Subscription
      let publisher: SubscribeOn

      var combineIdentifier: CombineIdentifier { subscription.combineIdentifier }

      func request(_ demand: Subscribers.Demand) {
        publisher.scheduler.schedule(options: publisher.options) { subscription.request(demand) }
      }

      func cancel() { subscription.cancel() }
    }
  }
}

extension Publisher {
  /// Connects to this publisher and requests values on a scheduler.
  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S>
  {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

/// The upstream subscriber of an operator that sends through a scheduler.
struct ScheduledSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<ScheduledMachine<Input, Failure>, Downstream>
  /// Schedules a closure.
  let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// A Boolean value that indicates whether downstream already has its subscription.
  private(set) var isConnected = false
  /// Runs after each value.
  var received: @Sendable () -> Void = {}

  init(
    _ downstream: Downstream,
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    runner = OperatorRunner(downstream, ScheduledMachine())
    self.schedule = schedule
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  /// Passes downstream its subscription at once, because the operator may end before upstream
  /// connects.
  mutating func connect() {
    isConnected = true
    runner.connect()
  }

  func receive(subscription: any Subscription) {
    let isAttached = runner.update { machine, calls in
      let isAttached = machine.upstream.attach(subscription, &calls)
      // The demand that arrived before upstream connected.
      if isAttached { calls.request(subscription, machine.output.unmetDemand) }
      return isAttached
    }
    if isAttached, !isConnected { runner.connect() }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if runner.update({ machine, _ in machine.take(input) }) {
      received()
      permitLater()
    }
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    if runner.update({ $0.end(completion, &$1) }) { permitLater() }
  }

  private func permitLater() {
    schedule { [runner] in runner.update { machine, _ in machine.permit() } }
  }
}

/// The state of operators that send through a scheduler.
///
/// Each scheduled closure permits one more value, or the completion. The values therefore keep
/// their order, whatever the order of the closures.
struct ScheduledMachine<Value: Sendable, Failure: Error>: SingleUpstreamMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The timer of a timeout, which is cancelled at the end.
  var timer: (any Cancellable)?

  /// Creates a state that permits a number of values in advance.
  init(permits: Int = 0) {
    output.permits = permits
  }

  /// Queues a value.
  ///
  /// - Returns: `false` if the value is ignored.
  mutating func take(_ value: Value) -> Bool {
    guard acceptsValues else { return false }
    output.send(value)
    return true
  }

  mutating func end(
    _ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls
  ) -> Bool {
    guard output.isOpen, upstream.end(&calls) else { return false }
    output.complete(completion)
    cancelTimer(&calls)
    return true
  }

  /// Permits one more value, or the completion.
  mutating func permit() {
    if output.permits < .max { output.permits += 1 }
  }

  /// Ends at once, without the waiting values.
  mutating func stop(_ completion: Subscribers.Completion<Failure>, _ calls: inout PendingCalls) {
    guard output.isOpen else { return }
    cancel(&calls)
    output.end(completion)
    permit()
  }

  mutating func pass(
    _ demand: Subscribers.Demand, answering id: UpstreamID?, _ calls: inout PendingCalls
  ) -> Subscribers.Demand {
    calls.request(upstream.subscription, demand)
    return .none
  }

  mutating func cancel(_ calls: inout PendingCalls) {
    upstream.cancel(&calls)
    cancelTimer(&calls)
  }

  private mutating func cancelTimer(_ calls: inout PendingCalls) {
    calls.cancel(timer)
    timer = nil
  }
}
