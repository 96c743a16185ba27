internal import Synchronization

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
