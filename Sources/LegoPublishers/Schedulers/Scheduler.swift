internal import Synchronization

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

/// A closure that is scheduled again each time it has run, until cancelled.
final class Repetition: Cancellable {
  private let action: Mutex<(@Sendable () -> Void)?>

  init(_ action: @escaping @Sendable () -> Void) {
    self.action = Mutex(action)
  }

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
