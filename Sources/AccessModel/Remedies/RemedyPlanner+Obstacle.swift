/// The check that no change gets past.
extension RemedyPlanner {
  /// A refusal that is left when everything before it has been mended.
  struct Obstacle {
    var decision: Decision
    /// The facts as they are then.
    var facts: AccessFacts
    /// Whether root, with every capability, is refused there too.
    var isForRoot: Bool
  }

  /// What is in the way for good: of root, or else of the subject; `nil` when the search ends in
  /// a grant.
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
