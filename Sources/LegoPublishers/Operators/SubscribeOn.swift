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
