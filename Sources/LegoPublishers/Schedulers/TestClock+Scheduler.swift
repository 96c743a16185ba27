// As a scheduler, a test clock runs closures inside `advance`, in the order of their moments.
extension TestClock: Scheduler {
  /// A moment, counted from the clock's beginning.
  public typealias SchedulerTimeType = SchedulerTime

  /// None.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure now.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs a closure when the clock is told to reach a moment.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    _ = schedule(at: date, action)
  }
}
