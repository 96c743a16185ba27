extension Publishers {
  /// A publisher that sends on a scheduler.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where they are sent.
    public let scheduler: Context
    /// What each sending is given along.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that sends on a scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: ScheduledSubscriber(subscriber) { [scheduler, options] action in
          scheduler.schedule(options: options, action)
        })
    }
  }

  /// A publisher that sends later.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How much later they are sent.
    public let interval: Context.SchedulerTimeType.Stride
    /// How precisely.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// Where they are sent.
    public let scheduler: Context
    /// What each sending is given along.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that passes everything on later, the end included.
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
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
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
  /// Sends values and the end on a scheduler, in order.
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Sends everything later, in order, the end and a failure included.
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
  /// A publisher that is connected, and asked for values, on a scheduler.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// Where upstream is connected.
    public let scheduler: Context
    /// What each action is given along.
    public let options: Context.SchedulerOptions?

    /// Creates a publisher that is connected on a scheduler.
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Connects a subscriber, later.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
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

    /// Asks for values on the scheduler, and cancels at once.
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
  /// Connects to this publisher, and asks it for values, on a scheduler.
  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S>
  {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

/// The subscriber that an operator has upstream which sends through a scheduler.
struct ScheduledSubscriber<Downstream: Subscriber>: Subscriber {
  typealias Input = Downstream.Input
  typealias Failure = Downstream.Failure

  let runner: OperatorRunner<ScheduledMachine<Input, Failure>, Downstream>
  /// Has a closure run later.
  let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// Whether downstream has its subscription before upstream comes.
  private(set) var isConnected = false
  /// Told that something came.
  var received: @Sendable () -> Void = {}

  init(
    _ downstream: Downstream,
    through schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    runner = OperatorRunner(downstream, ScheduledMachine())
    self.schedule = schedule
  }

  var combineIdentifier: CombineIdentifier { CombineIdentifier(runner) }

  /// Hands downstream its subscription at once, for an operator that may end before upstream comes.
  mutating func connect() {
    isConnected = true
    runner.connect()
  }

  func receive(subscription: any Subscription) {
    if !isConnected {
      if runner.update({ $0.attach(subscription, &$1) }) { runner.connect() }
      return
    }
    runner.update { machine, calls in
      // What was asked for meanwhile.
      if machine.attach(subscription, &calls) {
        calls.request(subscription, machine.output.unmetDemand)
      }
    }
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
/// Whatever a scheduler's order, values are sent in theirs: each closure that it runs permits one
/// more value, or the end, to be sent.
struct ScheduledMachine<Value: Sendable, Failure: Error>: OperatorMachine {
  var output = OutputQueue<Value, Failure>()
  var upstream = SubscriptionSlot()
  /// What watches the operator, until it is over.
  var timer: (any Cancellable)?

  /// Creates a state in which so many values may be sent without a closure.
  init(permits: Int = 0) {
    output.permits = permits
  }

  mutating func attach(_ subscription: any Subscription, _ calls: inout PendingCalls) -> Bool {
    upstream.attach(subscription, &calls)
  }

  /// Keeps a value until a closure runs.
  mutating func take(_ value: Value) -> Bool {
    guard upstream.subscription != nil, output.isOpen else { return false }
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

  /// Permits one more value, or the end.
  mutating func permit() {
    if output.permits < .max { output.permits += 1 }
  }

  /// Ends at once, without the values that wait.
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
