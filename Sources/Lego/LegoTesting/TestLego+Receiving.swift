public import LegoKit
internal import Synchronization
public import Testing

extension TestLego {
  /// Receives the next change that an effect has sent, and compares the resulting design with the
  /// expected one.
  ///
  /// If there is no change yet, the method waits until a change arrives, until ``timeout`` has
  /// elapsed, or until nothing is running that could send a change. If no change arrives, the test
  /// fails.
  ///
  /// - Parameters:
  ///   - change: The expected change.
  ///   - expected: Turns the design before the change into the expected design after it. Omit the
  ///     closure if the design does not change.
  ///   - sourceLocation: The location for reporting a failure.
  public func receive(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await receive(
      "\(Description.of(change))", expected, sourceLocation, where: { $0 == change },
      otherwise: {
        """
        received a different change than expected (expected → found):
        \(Difference(from: change, to: $0))
        """
      })
  }

  /// Receives the next change, which must satisfy a predicate, and compares the resulting design
  /// with the expected one.
  ///
  /// - Parameters:
  ///   - matches: Returns `true` for the expected change.
  ///   - expected: Turns the design before the change into the expected design after it. Omit the
  ///     closure if the design does not change.
  ///   - sourceLocation: The location for reporting a failure.
  public func receive(
    where matches: (B.Change) -> Bool, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await receive(
      "a change that matches", expected, sourceLocation, where: matches,
      otherwise: { "received a change that does not match: \(Description.of($0))" })
  }

  private func receive(
    _ wanted: String, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation,
    where matches: (B.Change) -> Bool, otherwise mismatch: (B.Change) -> String
  ) async {
    while true {
      switch await log.next(within: timeout, unless: { [lego] in lego.isIdle }) {
      case .missing(let reason):
        let text = "expected \(wanted), but \(text(of: reason))"
        Issue.record(Comment(rawValue: text), sourceLocation: location)
        return
      case .step(let step) where matches(step.change):
        return check(step, expected, location)
      case .step(let step):
        report(about: .change, mismatch(step.change) + textOfUnreceived(), location)
        // If an unexpected change is not a failure, the expected change may still follow.
        if exhaustivity.consequence(ofLeavingOut: .change) == .failure { return }
      }
    }
  }

  /// Skips all changes that effects have sent so far, without reporting them.
  public func skipReceived() { log.takeAll() }

  /// Cancels all effects with the given ID.
  public func cancel(id: some Hashable & Sendable) { lego.cancel(id: id) }

  /// A Boolean value that indicates whether the store has nothing to do until an effect sends a
  /// change or ends.
  package var isSettled: Bool { lego.isSettled }

  /// Ends the effects that depend on the design, and everything that they have caused.
  ///
  /// These effects are not started again. A `Follow` may never end on its own, so call this method
  /// before ``finish(sourceLocation:)``.
  public func endFollows() {
    hasEndedFollows.store(true, ordering: .sequentiallyConsistent)
    lego.endFollows()
  }

  /// Waits for the effects to end, and then reports the changes and effects that the test has not
  /// accounted for.
  ///
  /// At the level ``Exhaustivity/full``, the test fails if an effect does not end before
  /// ``timeout`` has elapsed, or if a change has not been received. At a level that allows effects
  /// to keep running, the method does not wait for them. Nothing is reported again when the store
  /// is released.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    let isWaiting = exhaustivity.consequence(ofLeavingOut: .effect) != .nothing
    let deadline = ContinuousClock.now + timeout
    while isWaiting, lego.effectCount > 0, ContinuousClock.now < deadline {
      // Another thread may have been about to start such an effect when `endFollows()` was called.
      if hasEndedFollows.load(ordering: .sequentiallyConsistent) { lego.endFollows() }
      // A cancelled test stops waiting.
      guard (try? await ContinuousClock().sleep(for: .milliseconds(1))) != nil else { break }
    }
    reportRest(at: sourceLocation)
    log.takeAll()
  }
}
