/// The refusal that no change overcomes.
extension RemedyPlanner {
  /// A refusal that remains after all previous refusals have been fixed.
  struct Obstacle {
    var decision: Decision
    /// The facts after the previous refusals have been fixed.
    var facts: AccessFacts
    /// A Boolean value that indicates whether even root with all capabilities is refused.
    var isForRoot: Bool
  }

  /// Returns the permanent obstacle for root or, if there is none, for the subject.
  ///
  /// - Parameter facts: The facts to start from.
  /// - Returns: The obstacle; `nil` if the search ends in a grant.
  func obstacle(from facts: AccessFacts) -> Obstacle? {
    var asRoot = facts
    var root = Subject(uid: 0, gid: 0)
    root.raiseEverything()
    root.deviceCgroup = facts.access.subject.deviceCgroup
    asRoot.access.subject = root
    return deadEnd(from: asRoot, isForRoot: true) ?? deadEnd(from: facts, isForRoot: false)
  }

  private func deadEnd(from start: AccessFacts, isForRoot: Bool) -> Obstacle? {
    var facts = start
    for _ in 0..<Self.depth {
      let decision = facts.access.withoutDeviceProgramDoubt.conclude()
      guard case .denied = decision.outcome else { return nil }
      let after = candidates(for: decision, in: facts).lazy
        .compactMap { facts.applying($0.step.changes) }
        .first { $0.access != facts.access }
      guard let after else {
        return Obstacle(decision: decision, facts: facts, isForRoot: isForRoot)
      }
      facts = after
    }
    return nil
  }
}
