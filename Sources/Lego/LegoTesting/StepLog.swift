internal import LegoKit
internal import Synchronization

/// The changes that a store has applied and the test has not accounted for, and the callers that
/// wait for one.
final class StepLog<B: Blueprint>: Sendable {
  typealias Step = ChangeHook<B>.Step

  private let state: Mutex<StepLogState<B>>

  /// Creates the log of a store.
  ///
  /// - Parameters:
  ///   - design: The store's first design.
  ///   - limit: The number of changes that may wait to be received.
  init(_ design: B.Design, limit: Int) {
    state = Mutex(StepLogState(design, limit: limit))
  }

  /// The changes of effects that the test has not received, in the order of the store.
  var unreceived: [B.Change] { state.withLock { $0.unreceived.map(\.change) } }

  /// The design after the newest change that the test has accounted for.
  var design: B.Design { state.withLock { $0.design } }

  /// The change of a build.
  func change(ofBuild number: UInt64) -> B.Change? { state.withLock { $0.changes[number] } }

  /// Adds a change.
  ///
  /// Called under the store's lock.
  func note(_ step: Step) {
    state.withLock { $0.note(step) }
  }

  /// Gives new changes to the callers that wait for one.
  ///
  /// - Returns: The excess, once for each build that causes too many changes.
  func wake() -> StepLogState<B>.Excess? {
    let (ready, excess) = state.withLock { ($0.takeReady(), $0.takeExcess()) }
    for (waiter, step) in ready { waiter.resume(returning: .step(step)) }
    return excess
  }

  /// Takes the change of a build, which was applied.
  ///
  /// - Returns: The change, and those applied before it that the test has not received.
  func take(build number: UInt64) -> (step: Step, earlier: [B.Change])? {
    state.withLock { $0.take(build: number) }
  }

  /// Takes everything that was not received.
  func takeAll() {
    state.withLock { $0.takeAll() }
  }

  /// Takes the first change that was not received, or waits for one.
  ///
  /// - Parameters:
  ///   - timeout: The longest time to wait.
  ///   - isIdle: Returns `true` if nothing is under way that could send a change.
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

  /// Waits until the time is over, or until nothing has been under way for a second.
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
