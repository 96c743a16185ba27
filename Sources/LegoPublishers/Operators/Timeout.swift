internal import Synchronization

extension Publishers {
  /// A publisher that ends when upstream sends nothing for too long.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// How long is too long.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where it waits.
    public let scheduler: Context
    /// What each waiting is given along.
    public let options: Context.SchedulerOptions?
    /// Makes the failure it ends with; it finishes when there is none.
    public let customError: (@Sendable () -> Failure)?

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let outlet = Outlet(subscriber)
      let newest = Newest<Void>()
      let inlet = Inlet<Output, Failure>(
        value: { value in
          outlet.send(value)
          self.arm(newest, outlet)
        },
        completion: { completion in
          _ = newest.set(())
          if case .failure = completion { outlet.end(completion) } else { outlet.finish() }
        })
      outlet.open(.init(request: { inlet.request($0) }, cancel: { inlet.cancel() }))
      arm(newest, outlet)
      upstream.receive(subscriber: inlet)
    }

    private func arm<S: Subscriber>(_ newest: Newest<Void>, _ outlet: Outlet<S>)
    where S.Failure == Failure {
      let number = newest.set(())
      let due = scheduler.now.advanced(by: interval)
      scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: options) {
        guard newest.take(number) != nil else { return }
        outlet.end(customError.map { .failure($0()) } ?? .finished)
      }
    }
  }
}

extension Publisher {
  /// Ends when upstream sends nothing for too long: with a failure, or normally without one.
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (@Sendable () -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options,
      customError: customError)
  }
}
