extension Publishers {
  /// A publisher that delivers values and the completion on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler that delivers values and the completion.
    public let scheduler: Context
    /// The options to pass to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delivers values and the completion on the given scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches the given subscriber to this publisher.
    public func receive(subscriber: some Subscriber<Output, Failure>) {
      upstream.receive(
        subscriber: ScheduledSubscriber(subscriber) { [scheduler, options] action in
          scheduler.schedule(options: options, action)
        })
    }
  }

  /// A publisher that delays values and the completion.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The time by which values and the completion are delayed.
    public let interval: Context.SchedulerTimeType.Stride
    /// The tolerance of the delay, which is passed to the scheduler.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// The scheduler that delivers values and the completion.
    public let scheduler: Context
    /// The options to pass to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that delays values and the completion.
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

    /// Attaches the given subscriber to this publisher.
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
  /// Delivers values and the completion on a scheduler, in order.
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Delays values and the completion, including a failure, without changing their order.
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
  /// A publisher that subscribes to the upstream publisher and requests values on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// The output type of the upstream publisher.
    public typealias Output = Upstream.Output
    /// The failure type of the upstream publisher.
    public typealias Failure = Upstream.Failure

    /// The upstream publisher.
    public let upstream: Upstream
    /// The scheduler that performs the subscription and the requests for values.
    public let scheduler: Context
    /// The options to pass to the scheduler.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that subscribes to the upstream publisher and requests values on a
    /// scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches the given subscriber to the upstream publisher on the scheduler.
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

    /// A subscription that requests values on the scheduler, and cancels immediately.
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
  /// Subscribes to this publisher and requests values on a scheduler.
  ///
  /// Cancellation takes effect immediately, on the thread that cancels.
  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S>
  {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

/// The subscriber that an operator attaches upstream to send values through a scheduler.
struct ScheduledSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<ScheduledMachine<Input, Failure>, Downstream>
  /// A closure that schedules the given closure.
  let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// A Boolean value that indicates whether downstream has already received its subscription.
  private(set) var isConnected = false
  /// A closure that is called after each value is queued.
  var received: @Sendable () -> Void = {}

  init(
    _ downstream: Downstream,
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    runner = OperatorRunner(downstream, ScheduledMachine())
    self.schedule = schedule
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  /// Sends downstream its subscription immediately.
  ///
  /// This is for operators that can end before upstream sends a subscription.
  mutating func connect() {
    isConnected = true
    runner.connect()
  }

  func receive(subscription: any Subscription) {
    let isAttached = runner.update { machine, calls in
      let isAttached = machine.upstream.attach(subscription, &calls)
      // Request the values that downstream requested before the subscription arrived.
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

/// The state of operators that send values through a scheduler.
///
/// Each scheduled closure permits one more value, or the completion, to be sent. Values therefore
/// keep their order, regardless of the order in which the closures run.
struct ScheduledMachine<Value: Sendable, Failure: Error>: SingleUpstreamMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// The timer of a `timeout` operator, which is cancelled when the operator ends.
  var timer: (any Cancellable)?

  /// Creates a state with the given number of initial permits.
  init(permits: Int = 0) {
    output.permits = permits
  }

  /// Queues a value.
  ///
  /// - Returns: `false` if the value was ignored.
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

  /// Permits one more value, or the completion, to be sent.
  mutating func permit() {
    if output.permits < .max { output.permits += 1 }
  }

  /// Ends with a completion immediately, and drops the queued values.
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
