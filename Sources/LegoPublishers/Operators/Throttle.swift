internal import Synchronization

extension Publishers {
  /// A publisher that sends at most one value in each span of time.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream sends.
    public typealias Output = Upstream.Output
    /// How upstream fails.
    public typealias Failure = Upstream.Failure

    /// Where the values come from.
    public let upstream: Upstream
    /// The span.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where it waits and sends.
    public let scheduler: Context
    /// Whether the last value of a span is sent at its end, or else the first.
    public let latest: Bool

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let outlet = Outlet(subscriber)
      let window = Window()
      let inlet = Inlet<Output, Failure>(
        value: { self.add($0, window, outlet) }, completion: { outlet.end($0) })
      outlet.open(.init(cancel: { inlet.cancel() }))
      inlet.request(.unlimited)
      upstream.receive(subscriber: inlet)
    }

    private func add<S: Subscriber>(_ value: Output, _ window: Window, _ outlet: Outlet<S>)
    where S.Input == Output {
      let isOpen = window.state.withLock { state in
        if !state.isClosed {
          state.isClosed = true
          return true
        }
        if latest || state.waiting == nil { state.waiting = value }
        return false
      }
      guard isOpen else { return }
      outlet.sendLatest(value)
      close(window, outlet)
    }

    /// Waits for the end of a span, and opens the next with the value that waits.
    private func close<S: Subscriber>(_ window: Window, _ outlet: Outlet<S>)
    where S.Input == Output {
      scheduler.schedule(after: scheduler.now.advanced(by: interval)) {
        let waiting = window.state.withLock { state in
          defer { state.waiting = nil }
          state.isClosed = state.waiting != nil
          return state.waiting
        }
        guard let waiting else { return }
        outlet.sendLatest(waiting)
        self.close(window, outlet)
      }
    }

    /// Whether a value was sent in this span, and the one that waits for its end.
    private final class Window: Sendable {
      struct State: Sendable {
        var isClosed = false
        var waiting: Output?
      }

      let state = Mutex(State())
    }
  }
}

extension Publisher {
  /// Sends at most one value in each span of time: the first at once, then one at each span's end.
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(
      upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}
