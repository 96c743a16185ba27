public import Dispatch

extension DispatchQueue: Scheduler {
  /// A moment on the system's uptime clock.
  public typealias SchedulerTimeType = SchedulerTime
  /// Nothing can be given along.
  public typealias SchedulerOptions = Never

  /// The system's uptime.
  public var now: SchedulerTime {
    SchedulerTime(nanoseconds: Int(clamping: DispatchTime.now().uptimeNanoseconds))
  }

  /// None.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure on the queue.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) {
    async(execute: action)
  }

  /// Runs a closure on the queue at a moment.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    let deadline = DispatchTime(uptimeNanoseconds: UInt64(clamping: date.nanoseconds))
    asyncAfter(deadline: deadline, execute: action)
  }
}
