internal import LegoKit
internal import Synchronization

/// The changes that a store has applied but the test has not accounted for, and the callers that
/// are waiting for a change.
final class StepLog<B: Blueprint>: Sendable {
  typealias Step = ChangeHook<B>.Step

  private let state: Mutex<StepLogState<B>>

  /// Creates a log for a store.
  ///
  /// - Parameters:
  ///   - design: The initial design of the store.
  ///   - limit: The maximum number of changes that may wait to be received.
  init(_ design: B.Design, limit: Int) {
    state = Mutex(StepLogState(design, limit: limit))
  }

  /// The changes from effects that the test has not received, in the order in which they were
  /// applied.
  var unreceived: [B.Change] { state.withLock { $0.unreceived.map(\.change) } }

  /// The design after the newest change that the test has accounted for.
  var design: B.Design { state.withLock { $0.design } }

  /// Returns the change of the build with the given number, or `nil` if it was not applied.
  func change(ofBuild number: UInt64) -> B.Change? { state.withLock { $0.changes[number] } }

  /// Adds a change that the store has applied.
  ///
  /// This method is called while the store's lock is held.
  func note(_ step: Step) {
    state.withLock { $0.note(step) }
  }

  /// Resumes each waiting caller for which there is a new change.
  ///
  /// - Returns: A report if too many changes are waiting to be received; `nil` if that is not the
  ///   case, or if the last report was for the same build.
  func wake() -> StepLogState<B>.Excess? {
    let (ready, excess) = state.withLock { ($0.takeReady(), $0.takeExcess()) }
    for (waiter, step) in ready { waiter.resume(returning: .step(step)) }
    return excess
  }

  /// Removes the change of a build from the log.
  ///
  /// - Returns: The change and the earlier changes that the test has not received, or `nil` if the
  ///   store has not applied the change.
  func take(build number: UInt64) -> (step: Step, earlier: [B.Change])? {
    state.withLock { $0.take(build: number) }
  }

  /// Marks all changes from effects as received.
  func takeAll() {
    state.withLock { $0.takeAll() }
  }

  /// Removes and returns the first change that has not been received, waiting for a change if
  /// necessary.
  ///
  /// - Parameters:
  ///   - timeout: The maximum time to wait.
  ///   - isIdle: Returns `true` if nothing is running that could send a change.
  /// - Returns: The change, or the reason why there is none.
  func next(within timeout: Duration, unless isIdle: @escaping @Sendable () -> Bool) async
    -> StepLogState<B>.Next
  {
    if let step = state.withLock({ $0.takeFirst() }) { return .step(step) }
    if timeout <= .zero { return .missing(.late) }
    let ticket = state.withLock { $0.addTicket() }
    let alarm = Task {
      if let reason = await Self.reasonToGiveUp(after: timeout, isIdle) { giveUp(ticket, reason) }
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let ready = state.withLock { $0.wait(ticket, continuation) }
        if let ready { continuation.resume(returning: ready) }
      }
    } onCancel: {
      giveUp(ticket, .cancelled)
    }
  }

  private func giveUp(_ ticket: UInt64, _ reason: StepLogState<B>.Missing) {
    let waiter = state.withLock { $0.giveUp(ticket, reason) }
    waiter?.resume(returning: .missing(reason))
  }

  /// Waits until the timeout has elapsed, or until nothing is running at two consecutive checks.
  ///
  /// - Returns: The reason to stop waiting for a change, or `nil` if the task was cancelled.
  private static func reasonToGiveUp(
    after timeout: Duration, _ isIdle: @Sendable () -> Bool
  ) async -> StepLogState<B>.Missing? {
    let clock = ContinuousClock()
    let deadline = clock.now + timeout
    var wasIdle = isIdle()
    repeat {
      let pause = min(.seconds(1), clock.now.duration(to: deadline))
      guard (try? await clock.sleep(for: pause)) != nil else { return nil }
      let isIdle = isIdle()
      if wasIdle, isIdle { return .idle }
      wasIdle = isIdle
    } while clock.now < deadline
    return .late
  }
}
