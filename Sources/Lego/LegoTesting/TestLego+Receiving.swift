public import LegoKit
internal import Synchronization
public import Testing

extension TestLego {
  /// Receives the next change that an effect has sent, and compares the design just after it with
  /// what the test expects.
  ///
  /// - Parameters:
  ///   - change: The change that is expected.
  ///   - expected: Turns the design just before the change into the expected one. Omit it if
  ///     nothing changes.
  ///   - sourceLocation: The location of a failure.
  public func receive(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async {
    await receive(
      "\(Description.of(change))", expected, sourceLocation, where: { $0 == change },
      otherwise: {
        """
        received another change than expected (expected → found):
        \(Difference(from: change, to: $0))
        """
      })
  }

  /// Receives the next change if a closure accepts it, and compares the design just after it with
  /// what the test expects.
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
        // The expected change may follow, unless an unexpected one is a failure.
        if exhaustivity.consequence(ofLeavingOut: .change) == .failure { return }
      }
    }
  }

  /// Skips all changes that effects have sent so far, without a report.
  public func skipReceived() { log.takeAll() }

  /// Cancels all effects that have this ID.
  public func cancel(id: some Hashable & Sendable) { lego.cancel(id: id) }

  /// A Boolean value that indicates whether nothing happens until an effect sends or ends.
  package var isSettled: Bool { lego.isSettled }

  /// Ends the effects that follow from the design, and everything that they have caused.
  ///
  /// They do not start again. Because a `Follow` may never end by itself, a test calls this before
  /// ``finish(sourceLocation:)``.
  public func endFollows() {
    hasEndedFollows.store(true, ordering: .sequentiallyConsistent)
    lego.endFollows()
  }

  /// Waits until every effect has ended.
  ///
  /// An effect that does not end, or a change that was not received, fails the test. At a level
  /// where effects may still run at the end, the call does not wait for them. Nothing is reported
  /// again when the store is freed.
  public func finish(sourceLocation: SourceLocation = #_sourceLocation) async {
    let isWaiting = exhaustivity.consequence(ofLeavingOut: .effect) != .nothing
    let deadline = ContinuousClock.now + timeout
    while isWaiting, lego.effectCount > 0, ContinuousClock.now < deadline {
      // Another thread may have been about to start one during the first call.
      if hasEndedFollows.load(ordering: .sequentiallyConsistent) { lego.endFollows() }
      // A test that was cancelled waits no longer.
      guard (try? await ContinuousClock().sleep(for: .milliseconds(1))) != nil else { break }
    }
    reportRest(at: sourceLocation)
    log.takeAll()
  }
}
