internal import Synchronization

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

    /// Connects a subscriber.
    public func receive<S: Subscriber>(subscriber: S)
    where S.Input == Output, S.Failure == Failure {
      let outlet = Outlet(subscriber)
      let newest = Newest<Output>()
      let inlet = Inlet<Output, Failure>(
        value: { [self] value in
          let number = newest.set(value)
          let due = scheduler.now.advanced(by: dueTime)
          scheduler.schedule(after: due, tolerance: scheduler.minimumTolerance, options: options) {
            newest.take(number).map { outlet.sendLatest($0) }
          }
        },
        // A value that still waits is dropped with the end, as Combine does.
        completion: { outlet.end($0) })
      outlet.open(.init(cancel: { inlet.cancel() }))
      inlet.request(.unlimited)
      upstream.receive(subscriber: inlet)
    }
  }
}

/// The newest value, which can be taken as long as it is the newest.
final class Newest<Value: Sendable>: Sendable {
  private let state = Mutex<(number: UInt64, value: Value?)>((0, nil))

  /// Puts a value in the place of the one before.
  ///
  /// - Returns: Its number.
  func set(_ value: Value) -> UInt64 {
    state.withLock { state in
      state = (state.number + 1, value)
      return state.number
    }
  }

  /// Takes the value with this number, unless there is a newer one.
  func take(_ number: UInt64) -> Value? {
    state.withLock { state in
      guard state.number == number else { return nil }
      defer { state.value = nil }
      return state.value
    }
  }
}

extension Publisher {
  /// Sends a value once no other has come for a while.
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(
      upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}
