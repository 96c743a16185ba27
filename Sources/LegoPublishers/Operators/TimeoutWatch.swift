internal import Synchronization

/// Ends an operator when nothing has come for too long.
final class TimeoutWatch<Context: Scheduler, Downstream: Subscriber>: Sendable {
  typealias Target = Joint<ScheduledMachine<Downstream.Input, Downstream.Failure>, Downstream>
  typealias Moment = Context.SchedulerTimeType

  private let target: Target
  private let interval: Moment.Stride
  private let scheduler: Context
  private let options: Context.SchedulerOptions?
  private let customError: (@Sendable () -> Downstream.Failure)?
  private let deadline = Mutex(Deadline<Moment>())

  init<P: Publisher>(_ target: Target, _ timeout: Publishers.Timeout<P, Context>)
  where P.Failure == Downstream.Failure {
    self.target = target
    interval = timeout.interval
    scheduler = timeout.scheduler
    options = timeout.options
    customError = timeout.customError
  }

  /// Puts the end off to a full interval from now.
  func restart() {
    let moment = scheduler.now.advanced(by: interval)
    if deadline.withLock({ $0.set(moment) }) { schedule(at: moment) }
  }

  private func schedule(at moment: Moment) {
    scheduler.schedule(after: moment, tolerance: scheduler.minimumTolerance, options: options) {
      self.ring(at: moment)
    }
  }

  private func ring(at moment: Moment) {
    // Of an operator that is over, nothing is left to end.
    guard target.read({ $0.outlet.isOpen }) else { return }
    switch deadline.withLock({ $0.ring(at: moment) }) {
    case .later(let next): schedule(at: next)
    case .now:
      let end = customError.map { Subscribers.Completion.failure($0()) } ?? .finished
      target.update { $0.stop(end, &$1) }
    case .never: break
    }
  }
}
