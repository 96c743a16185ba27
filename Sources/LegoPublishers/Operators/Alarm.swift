internal import Synchronization

/// Runs an action at a moment that can be put off again and again.
///
/// One closure at a time is given to the scheduler, however often the moment is put off: a value
/// that comes a million times within the span leaves no million closures behind.
final class Alarm<Context: Scheduler>: Sendable {
  typealias Moment = Context.SchedulerTimeType

  private struct State: Sendable {
    var action: (@Sendable () -> Void)?
    var due: Moment?
    var isScheduled = false
  }

  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let state: Mutex<State>

  init(
    on scheduler: Context, options: Context.SchedulerOptions?,
    _ action: @escaping @Sendable () -> Void
  ) {
    self.scheduler = scheduler
    self.options = options
    state = Mutex(State(action: action))
  }

  /// Puts the moment off to so much later than now.
  func set(after span: Moment.Stride) {
    let due = scheduler.now.advanced(by: span)
    let isFirst = state.withLock { state in
      guard state.action != nil else { return false }
      state.due = due
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    if isFirst { schedule(at: due) }
  }

  /// Forgets the action, which never runs again.
  func end() {
    let action = state.withLock { state in
      defer { state.action = nil }
      return state.action
    }
    withExtendedLifetime(action) {}
  }

  private func schedule(at moment: Moment) {
    // The scheduler's word counts for the time: one that runs closures at once is always on time.
    scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
      self.ring(at: moment)
    }
  }

  private func ring(at moment: Moment) {
    let (action, next) = state.withLock { state -> ((@Sendable () -> Void)?, Moment?) in
      guard state.action != nil, let due = state.due, due > moment else {
        state.isScheduled = false
        return (state.action, nil)
      }
      return (nil, due)
    }
    if let next { schedule(at: next) }
    action?()
  }
}
