/// What can be made of everyday spans of time.
public protocol SchedulerTimeIntervalConvertible {
  /// A span of whole seconds.
  static func seconds(_ seconds: Int) -> Self
  /// A span of seconds.
  static func seconds(_ seconds: Double) -> Self
  /// A span of milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// A span of microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// A span of nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}

/// Something that runs closures: now, later, or again and again.
public protocol Scheduler<SchedulerTimeType>: Sendable {
  /// A moment of the scheduler.
  associatedtype SchedulerTimeType: Strideable & Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable
  /// What a single action can be given along.
  associatedtype SchedulerOptions: Sendable = Never

  /// The moment it is now.
  var now: SchedulerTimeType { get }
  /// The smallest tolerance that makes sense.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs a closure as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)
  /// Runs a closure at a moment.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)
  /// Runs a closure at a moment, and again after each interval, until cancelled.
  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable
}

extension Scheduler {
  /// Runs a closure as soon as possible.
  public func schedule(_ action: @escaping @Sendable () -> Void) {
    schedule(options: nil, action)
  }

  /// Runs a closure at a moment.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs a closure at a moment, and again after each interval, until cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs a closure again and again, by scheduling each time anew.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let timer = Repetition(action)
    timer.run(on: self, at: date, every: interval, tolerance, options)
    return timer
  }
}
