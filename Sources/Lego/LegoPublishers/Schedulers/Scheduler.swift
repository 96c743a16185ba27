internal import Synchronization

/// A time interval that can be created from common time units.
public protocol SchedulerTimeIntervalConvertible {
  /// Returns an interval of the given number of whole seconds.
  static func seconds(_ seconds: Int) -> Self
  /// Returns an interval of the given number of seconds.
  static func seconds(_ seconds: Double) -> Self
  /// Returns an interval of the given number of milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// Returns an interval of the given number of microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// Returns an interval of the given number of nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}

/// A type that runs closures as soon as possible, at a given time, or repeatedly.
public protocol Scheduler<SchedulerTimeType>: Sendable {
  /// A type that represents a point in time for this scheduler.
  associatedtype SchedulerTimeType: Strideable & Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable
  /// The type of the scheduling options.
  associatedtype SchedulerOptions: Sendable = Never

  /// The current time of this scheduler.
  var now: SchedulerTimeType { get }
  /// The minimum tolerance that this scheduler allows.
  var minimumTolerance: SchedulerTimeType.Stride { get }

  /// Runs a closure as soon as possible.
  func schedule(options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)
  /// Runs a closure at the given time.
  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping @Sendable () -> Void)
  /// Runs a closure at the given time, and then repeatedly at the given interval.
  ///
  /// - Returns: A token that stops the repetition when it is cancelled.
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

  /// Runs a closure at the given time.
  public func schedule(after date: SchedulerTimeType, _ action: @escaping @Sendable () -> Void) {
    schedule(after: date, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs a closure at the given time, and then repeatedly at the given interval.
  ///
  /// - Returns: A token that stops the repetition when it is cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride,
    _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    schedule(
      after: date, interval: interval, tolerance: minimumTolerance, options: nil, action)
  }

  /// Runs a closure at the given time, and then repeatedly at the given interval.
  ///
  /// The closure is scheduled again after each run.
  ///
  /// - Returns: A token that stops the repetition when it is cancelled.
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

/// Schedules a closure again after each run, until the repetition is cancelled.
final class Repetition: Cancellable {
  private let action: Mutex<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) { self.action = Mutex(action) }

  func cancel() {
    let old = action.withLock { action in
      defer { action = nil }
      return action
    }
    withExtendedLifetime(old) {}
  }

  func run<S: Scheduler>(
    on scheduler: S, at date: S.SchedulerTimeType, every interval: S.SchedulerTimeType.Stride,
    _ tolerance: S.SchedulerTimeType.Stride, _ options: S.SchedulerOptions?
  ) {
    scheduler.schedule(after: date, tolerance: tolerance, options: options) {
      guard let action = self.action.withLock({ $0 }) else { return }
      action()
      self.run(
        on: scheduler, at: date.advanced(by: interval), every: interval, tolerance, options)
    }
  }
}

/// A scheduler that runs every closure immediately, regardless of its scheduled time.
public struct ImmediateScheduler: Scheduler {
  /// A point in time, which this scheduler ignores.
  public typealias SchedulerTimeType = SchedulerTime

  /// The shared scheduler.
  public static let shared = ImmediateScheduler()

  /// Creates a scheduler.
  public init() {}

  /// The current time, which is always zero.
  public var now: SchedulerTime { SchedulerTime(nanoseconds: 0) }
  /// The minimum tolerance, which is zero.
  public var minimumTolerance: SchedulerTime.Stride { .init(nanoseconds: 0) }

  /// Runs a closure immediately.
  public func schedule(options: Never?, _ action: @escaping @Sendable () -> Void) { action() }

  /// Runs a closure immediately.
  public func schedule(
    after date: SchedulerTime, tolerance: SchedulerTime.Stride, options: Never?,
    _ action: @escaping @Sendable () -> Void
  ) {
    action()
  }

  /// Runs a closure immediately, and does not repeat it.
  public func schedule(
    after date: SchedulerTime, interval: SchedulerTime.Stride, tolerance: SchedulerTime.Stride,
    options: Never?, _ action: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
