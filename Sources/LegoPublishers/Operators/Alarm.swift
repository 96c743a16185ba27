internal import Synchronization

/// Hands a value to an action at a moment that can be put off again and again.
///
/// One closure at a time is given to the scheduler, however often the moment is put off: a value
/// that comes a million times within the span leaves no million closures behind.
final class Alarm<Value: Sendable, Context: Scheduler>: Sendable {
  typealias Action = @Sendable (Value) -> Void
  typealias Moment = Context.SchedulerTimeType

  private struct State: Sendable {
    var action: Action?
    /// The value and its moment, looked at together: a moment that has come is that of its value.
    var due: (value: Value, moment: Moment)?
    var isScheduled = false
  }

  private enum Ring: Sendable {
    case act(Action, Value)
    case wait(Moment)
    case rest
  }

  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let state: Mutex<State>

  init(on scheduler: Context, options: Context.SchedulerOptions?, _ action: @escaping Action) {
    self.scheduler = scheduler
    self.options = options
    state = Mutex(State(action: action))
  }

  /// Puts the moment off to so much later than now, and another value in the place of the last.
  func set(_ value: Value, after span: Moment.Stride) {
    let moment = scheduler.now.advanced(by: span)
    let (old, isFirst) = state.withLock { state -> ((value: Value, moment: Moment)?, Bool) in
      guard state.action != nil else { return (nil, false) }
      defer {
        state.due = (value, moment)
        state.isScheduled = true
      }
      return (state.due, !state.isScheduled)
    }
    // It is freed outside the lock.
    withExtendedLifetime(old) {}
    if isFirst { schedule(at: moment) }
  }

  /// Forgets the action and the value.
  func end() {
    let old = state.withLock { state in
      defer { (state.action, state.due) = (nil, nil) }
      return (state.action, state.due)
    }
    withExtendedLifetime(old) {}
  }

  private func schedule(at moment: Moment) {
    // The scheduler's word counts for the time: one that runs closures at once is always on time.
    scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
      self.ring(at: moment)
    }
  }

  private func ring(at moment: Moment) {
    let ring = state.withLock { state -> Ring in
      if let due = state.due, due.moment > moment { return .wait(due.moment) }
      state.isScheduled = false
      guard let action = state.action, let due = state.due else { return .rest }
      state.due = nil
      return .act(action, due.value)
    }
    switch ring {
    case .act(let action, let value): action(value)
    case .wait(let next): schedule(at: next)
    case .rest: break
    }
  }
}
