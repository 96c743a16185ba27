public import Dispatch

/// A scheduler that waits on a clock and runs closures in tasks.
///
/// Closures that are scheduled for the same time can run in any order. Operators still send their
/// values in order.
public struct ClockScheduler<C: Clock>: Scheduler where C.Duration == Duration {
  /// A point in time, relative to the creation of the scheduler.
  public typealias SchedulerTimeType = SchedulerTime

  private let clock: C
  private let origin: C.Instant

  /// Creates a scheduler that uses the given clock.
  public init(_ clock: C) {
    self.clock = clock
    origin = clock.now
  }

  /// The time since the scheduler was created.
  public var now: SchedulerTime {
    SchedulerTime(nanoseconds: 0).advanced(by: origin.duration(to: clock.now))
  }

  /// The minimum tolerance, which is zero.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure in a new task.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    Task { @concurrent in action() }
  }

  /// Runs a closure in a new task once the clock has reached the given time.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    let deadline = origin.advanced(by: .nanoseconds(date.nanoseconds))
    Task { @concurrent [clock] in
      do {
        try await clock.sleep(until: deadline, tolerance: tolerance.duration)
        action()
      } catch {
        // If the clock throws an error, the closure does not run.
      }
    }
  }
}

extension DispatchQueue: Scheduler {
  /// A point in time on the system's uptime clock.
  public typealias SchedulerTimeType = SchedulerTime
  /// The options type, which is `Never` because scheduling options are not supported.
  public typealias SchedulerOptions = Never

  /// The current uptime of the system.
  public var now: SchedulerTime {
    SchedulerTime(nanoseconds: Int(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// The minimum tolerance, which is zero.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure on the queue.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    async(execute: action)
  }

  /// Runs a closure on the queue at the given time.
  ///
  /// The tolerance is ignored.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    let deadline = DispatchTime(uptimeNanoseconds: UInt64(clamping: date.nanoseconds))
    asyncAfter(deadline: deadline, execute: action)
  }
}
