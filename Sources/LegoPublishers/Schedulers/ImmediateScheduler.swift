/// A scheduler that runs everything at once, whatever the moment.
public struct ImmediateScheduler: Scheduler {
  /// A moment that is always the same.
  public typealias SchedulerTimeType = SchedulerTime

  /// The only one there has to be.
  public static let shared = ImmediateScheduler()

  /// Creates a scheduler.
  public init() {}

  /// The only moment there is.
  public var now: SchedulerTime { SchedulerTime(nanoseconds: 0) }
  /// None.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure now.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs a closure now.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    action()
  }

  /// Runs a closure once, now.
  public func schedule(
    after date: SchedulerTime, interval: SchedulerTime.Stride, tolerance: SchedulerTime.Stride,
    options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
