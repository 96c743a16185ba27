internal import LegoKit
internal import Testing

extension TestLego {
  /// Compares the design after a change with the expected design, and reports any difference that
  /// the level of exhaustivity does not allow.
  func check(
    _ step: StepLog<B>.Step, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation
  ) {
    if exhaustivity != .full {
      // Only the values that the test sets are compared.
      var mentioned = step.after
      expected?(&mentioned)
      if mentioned != step.after {
        let text = difference(step, mentioned)
        Issue.record(Comment(rawValue: text), sourceLocation: location)
        return
      }
      if exhaustivity.consequence(ofLeavingOut: .difference) == .nothing { return }
    }
    var wanted = step.before
    expected?(&wanted)
    if wanted != step.after { report(about: .difference, difference(step, wanted), location) }
  }

  /// Reports a change that was ignored because its part does not exist, unless the test expects no
  /// effect on the design.
  func checkIgnored(
    _ change: B.Change, _ expected: ((inout B.Design) -> Void)?, _ location: SourceLocation
  ) {
    let design = log.design
    var wanted = design
    expected?(&wanted)
    if wanted == design { return }
    let text = "\(Description.of(change)) was ignored, because its part does not exist"
    Issue.record(Comment(rawValue: text), sourceLocation: location)
  }

  private func difference(_ step: StepLog<B>.Step, _ wanted: B.Design) -> String {
    """
    \(Description.of(step.change)) made a different design than expected (expected → found):
    \(Difference(from: wanted, to: step.after))
    """
  }

  /// Reports an omission as a failure or a warning, or ignores it, depending on the level of
  /// exhaustivity.
  func report(
    about matter: Exhaustivity.Matter, _ message: @autoclosure () -> String,
    _ location: SourceLocation
  ) {
    let severity: Issue.Severity
    switch exhaustivity.consequence(ofLeavingOut: matter) {
    case .failure: severity = .error
    case .warning: severity = .warning
    case .nothing: return
    }
    Issue.record(Comment(rawValue: message()), severity: severity, sourceLocation: location)
  }

  /// Reports the changes that have not been received, and the running effects that have not been
  /// reported.
  func reportRest(at location: SourceLocation) {
    let rest = log.unreceived
    if !rest.isEmpty { report(about: .change, "not received: \(list(rest))", location) }
    let running = lego.runningEffects.filter { reported.insert($0.number) }
    if running.isEmpty { return }
    report(
      about: .effect,
      running.count == 1
        ? "an effect is still running; cancel it, or let it end\(details(of: running))"
        : "\(running.count) effects are still running; cancel them, or let them end"
          + details(of: running), location)
  }

  /// Returns a message that explains why an expected change has not arrived.
  func text(of reason: StepLogState<B>.Missing) -> String {
    switch reason {
    case .cancelled: "the test was cancelled while it waited"
    case .idle: "no change came, and nothing is under way that could send one"
    case .late:
      (timeout > .zero ? "no change came within \(timeout)" : "no change has come")
        + details(of: lego.runningEffects)
    }
  }

  /// Returns a message with the other changes that have not been received, or an empty string if
  /// there are none.
  func textOfUnreceived() -> String {
    let rest = log.unreceived
    return rest.isEmpty ? "" : "\nand not received yet: \(list(rest))"
  }

  /// Returns a list of at most 20 changes as text.
  func list(_ changes: [B.Change]) -> String {
    let shown = changes.prefix(20).map(Description.of).joined(separator: ", ")
    return changes.count > 20 ? "\(shown) and \(changes.count - 20) more" : shown
  }

  /// Returns text that describes the causes of running effects, and what the effects may be waiting
  /// for.
  private func details(of running: [(number: UInt64, root: UInt64)]) -> String {
    var text = ""
    var roots: [UInt64] = []
    for effect in running where !roots.contains(effect.root) { roots.append(effect.root) }
    for root in roots.prefix(20) {
      let count = running.count { $0.root == root }
      text += "\n  \(count == 1 ? "an effect" : "\(count) effects") "
      if root == 0 {
        text += "following from the design; endFollows() ends what follows"
      } else if let change = log.change(ofBuild: root) {
        text += "caused by \(Description.of(change))"
      } else {
        text += "of the store itself"
      }
    }
    let sleepers = clock.sleeperCount
    if !running.isEmpty, sleepers > 0 {
      let time = TestClock().now.duration(to: clock.now)
      text += "\n  \(sleepers) waiting on the test clock, which is at \(time); advance it"
    }
    return text
  }
}

extension StepLog {
  /// Returns a message about changes that exceed the limit.
  func text(of excess: StepLogState<B>.Excess) -> String {
    let cause = change(ofBuild: excess.root).map { "build of \(Description.of($0))" } ?? "follows"
    let last = excess.last.map(Description.of).joined(separator: ", ")
    return "\(excess.count) changes wait to be received; the \(cause) that caused the last of them"
      + " was cancelled, because they seem to have no end: … \(last)"
  }
}
