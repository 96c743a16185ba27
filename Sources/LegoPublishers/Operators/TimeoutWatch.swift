internal import Synchronization

/// Ends an operator when nothing has come for too long.
final class TimeoutWatch<Context: Scheduler, Downstream: Subscriber>: Cancellable {
  typealias Target = Joint<ScheduledMachine<Downstream.Input, Downstream.Failure>, Downstream>
  typealias Moment = Context.SchedulerTimeType

  /// What is watched, and how; all of it goes when the operator is over, though a scheduler may hold
  /// the closure for much longer.
  private struct Live: Sendable {
    let target: Target
    let interval: Moment.Stride
    let scheduler: Context
    let options: Context.SchedulerOptions?
    let customError: (@Sendable () -> Downstream.Failure)?
    var deadline = Deadline<Moment>()
  }

  private let live: Mutex<Live?>

  init<P: Publisher>(_ target: Target, _ timeout: Publishers.Timeout<P, Context>)
  where P.Failure == Downstream.Failure {
    live = Mutex(
      Live(
        target: target, interval: timeout.interval, scheduler: timeout.scheduler,
        options: timeout.options, customError: timeout.customError))
  }

  /// Puts the end off to a full interval from now.
  func restart() {
    guard let known = live.withLock({ $0 }) else { return }
    let moment = known.scheduler.now.advanced(by: known.interval)
    if live.withLock({ $0?.deadline.set(moment) ?? false }) { schedule(known, at: moment) }
  }

  func cancel() {
    let old = live.withLock { $0.take() }
    withExtendedLifetime(old) {}
  }

  private func schedule(_ known: Live, at moment: Moment) {
    known.scheduler.schedule(
      after: moment, tolerance: known.scheduler.minimumTolerance, options: known.options
    ) { self.ring(at: moment) }
  }

  private func ring(at moment: Moment) {
    let (known, ring) = live.withLock { ($0, $0?.deadline.ring(at: moment) ?? .never) }
    guard let known else { return }
    switch ring {
    case .later(let next): schedule(known, at: next)
    case .now:
      let end = known.customError.map { Subscribers.Completion.failure($0()) } ?? .finished
      known.target.update { $0.stop(end, &$1) }
    case .never: break
    }
  }
}
