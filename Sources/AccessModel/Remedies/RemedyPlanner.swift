/// Finds the changes of modes, lists, groups, mounts and flags that lead from a refusal to a
/// grant.
///
/// It walks as the decision does: it takes the check that refuses, tries each change that could
/// help there, decides again, and goes on where another check refuses. Every plan that it returns
/// ends in a grant.
struct RemedyPlanner {
  /// One step of a plan.
  struct Step {
    var title: String
    var step: Remedy.Step
    var scope: String?
    var takesEffect: String?
    var end = Remedy.End.never
    var assumes: String?
    var caution: String?
  }

  let names: Names
  let device: DeviceFacts?
  /// The assessment of the question as it was asked.
  let assessment: Assessment

  init(_ assessment: Assessment, names: Names) {
    self.assessment = assessment
    self.names = names
    device = assessment.device
  }

  /// The checks that one plan may have to pass: directories, links, mounts, flags, the object.
  static let depth = 6
  /// The decisions that one search may cost.
  private static let budget = 160

  /// Returns the plans that lead to a grant from these facts, in the order of trial.
  func plans(from facts: AccessFacts, limit: Int = 8) -> [[Step]] {
    var budget = Self.budget
    return plans(from: facts, depth: Self.depth, limit: limit, &budget)
  }

  private func plans(
    from facts: AccessFacts, depth: Int, limit: Int, _ budget: inout Int
  ) -> [[Step]] {
    guard budget > 0 else { return [] }
    budget -= 1
    let decision = facts.access.withoutDeviceProgramDoubt.conclude()
    if decision.isGranted { return [[]] }
    if case .undecided = decision.outcome, depth < Self.depth {
      // The observed part of the path grants access; the rest of it is not known.
      let place = decision.at ?? decision.steps.last?.path ?? facts.access.request.path
      return [
        [
          Step(
            title: "", step: Remedy.Step(.program),
            assumes: """
              the rest of the path after \(place), which could not be read, allows the access
              """)
        ]
      ]
    }
    guard depth > 0, case .denied = decision.outcome else { return [] }
    var found: [[Step]] = []
    for candidate in candidates(for: decision, in: facts) {
      guard found.count < limit, budget > 0 else { break }
      guard let after = facts.applying(candidate.step.changes), after.access != facts.access else {
        continue
      }
      // Beyond the first step the least change is enough, except at the object itself.
      let rest = plans(
        from: after, depth: depth - 1, limit: depth == Self.depth ? 3 : 2, &budget)
      found += rest.map { [candidate] + $0 }
    }
    return Array(found.prefix(limit))
  }

  /// Returns the changes that could help at the check that refuses, the smallest first.
  func candidates(for decision: Decision, in facts: AccessFacts) -> [Step] {
    guard let rule = decision.rule, let step = decision.steps.last else { return [] }
    let own = ownCandidates(facts)
    switch rule {
    case .modeOwner, .modeGroup, .modeOther, .aclUser, .aclGroup, .aclMask, .aclOther:
      guard let node = step.node else { return own }
      return own + permissionCandidates(at: node, step.wanted, rule, facts)
    case .mountNodev, .mountReadOnly, .superblockReadOnly, .mountNoexec:
      return own + mountCandidates(rule, step, facts)
    case .inodeImmutable, .inodeAppendOnly:
      return requestCandidates(rule, step, facts) + flagCandidates(rule, step, facts)
    case .symlinkProtected, .symlinkNoSymfollow, .symlinkNoFollow, .openNoAccessTime,
      .openExists, .createSticky:
      return requestCandidates(rule, step, facts) + mountCandidates(rule, step, facts)
    case .deviceCgroup: return policyCandidates(step, facts)
    default: return []
    }
  }

  // MARK: - Changes that the process can make

  /// Returns steps that raise a permitted capability or switch to another ID of the process.
  ///
  /// They are only possible as a first step.
  private func ownCandidates(_ facts: AccessFacts) -> [Step] {
    guard facts.access.subject == assessment.subject, facts.access == assessment.access else {
      return []
    }
    let capabilities = assessment.raisableCapabilities
    if let first = capabilities.first {
      let name = first.constant
      return [
        Step(
          title: "Raise \(name), which is in the permitted set of the process, for this open",
          step: Remedy.Step(.program, changes: [.raise([first])]))
      ]
    }
    guard assessment.couldRaise else { return [] }
    let subject = facts.access.subject
    let permitted = subject.permitted.subtracting(subject.effective)
    for user in [subject.fsuid, subject.euid, subject.ruid, subject.suid] {
      for group in [subject.fsgid, subject.egid, subject.rgid, subject.sgid] {
        for capabilities in [CapabilitySet(), permitted] {
          var changes: [FactsChange] = [.takeIDs(user: user, group: group)]
          if !capabilities.isEmpty { changes.append(.raise(capabilities)) }
          guard let after = facts.applying(changes),
            after.access.withoutDeviceProgramDoubt.verdict().isGranted
          else { continue }
          let what = capabilities.isEmpty ? "" : " and raise its permitted capabilities"
          return [
            Step(
              title: """
                Switch to \(names.user(user)) and \(names.group(group)), IDs that the process \
                already has,\(what) for this open
                """, step: Remedy.Step(.program, changes: changes))
          ]
        }
      }
    }
    return []
  }
}

extension AccessFacts {
  /// The facts after all changes in turn; `nil` when one of them would fail.
  func applying(_ changes: [FactsChange]) -> AccessFacts? {
    var facts = self
    for change in changes {
      guard let after = change.applied(to: facts) else { return nil }
      facts = after
    }
    return facts
  }
}
