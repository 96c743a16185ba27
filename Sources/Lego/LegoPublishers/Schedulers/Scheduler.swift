internal import Synchronization

/// A type that can be created from common units of time.
public protocol SchedulerTimeIntervalConvertible {
  /// A number of whole seconds.
  static func seconds(_ seconds: Int) -> Self
  /// A number of seconds.
  static func seconds(_ seconds: Double) -> Self
  /// A number of milliseconds.
  static func milliseconds(_ milliseconds: Int) -> Self
  /// A number of microseconds.
  static func microseconds(_ microseconds: Int) -> Self
  /// A number of nanoseconds.
  static func nanoseconds(_ nanoseconds: Int) -> Self
}

/// A type that runs closures now, later or repeatedly.
public protocol Scheduler<SchedulerTimeType>: Sendable {
  /// A moment of the scheduler.
  associatedtype SchedulerTimeType: Strideable & Sendable
  where SchedulerTimeType.Stride: SchedulerTimeIntervalConvertible & Sendable
  /// The type of the options for an action.
  associatedtype SchedulerOptions: Sendable = Never

  /// The current moment.
  var now: SchedulerTimeType { get }
  /// The minimum tolerance.
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

  /// Runs a closure repeatedly, by scheduling it again after each run.
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

/// A closure that is scheduled again after each run, until it is cancelled.
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

/// A scheduler that runs all closures at once, whatever their moment.
public struct ImmediateScheduler: Scheduler {
  /// A moment that is always the same.
  public typealias SchedulerTimeType = SchedulerTime

  /// The shared scheduler.
  public static let shared = ImmediateScheduler()

  /// Creates a scheduler.
  public init() {}

  /// The moment that is always the same.
  public var now: SchedulerTime { SchedulerTime(nanoseconds: 0) }
  /// Zero.
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
