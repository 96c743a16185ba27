/// Finds changes to modes, ACLs, groups, mounts and flags that turn a refusal into a grant.
///
/// The planner takes the check that refuses access, tries each change that could help, and decides
/// again. If another check then refuses access, it continues from there. Each plan that it returns
/// ends in a grant, or in an assumption about the unobserved rest of the path.
struct RemedyPlanner {
  let names: Names
  let device: DeviceFacts?
  /// The assessment of the original question.
  let assessment: Assessment

  init(_ assessment: Assessment, names: Names) {
    self.assessment = assessment
    self.names = names
    device = assessment.device
  }

  /// The maximum number of checks that one plan fixes: directories, links, mounts, flags and the
  /// object.
  static let depth = 6
  /// The maximum number of decisions in one search.
  private static let budget = 160

  /// Returns the plans that lead from the given facts to a grant, in the order in which they were
  /// found.
  func plans(from facts: AccessFacts, limit: Int = 8) -> [[Remedy]] {
    var budget = Self.budget
    return plans(from: facts, depth: Self.depth, limit: limit, &budget)
  }

  private func plans(
    from facts: AccessFacts, depth: Int, limit: Int, _ budget: inout Int
  ) -> [[Remedy]] {
    guard budget > 0 else { return [] }
    budget -= 1
    let decision = facts.access.withoutDeviceProgramDoubt.decide(.brief)
    if decision.isGranted { return [[]] }
    if case .undecided = decision.outcome, depth < Self.depth {
      // The observed part of the path grants access, and the rest of the path is unknown.
      let seen = decision.steps.last { $0.node != nil }?.path
      let place = seen ?? facts.access.request.path
      return [
        [
          Remedy(
            "", actor: .program,
            assumes: """
              the rest of the path after \(place), which could not be read, allows the access
              """)
        ]
      ]
    }
    guard depth > 0, case .denied = decision.outcome else { return [] }
    var found: [[Remedy]] = []
    for candidate in candidates(for: decision, in: facts) {
      guard found.count < limit, budget > 0 else { break }
      guard let after = facts.applying(candidate.changes), after.access != facts.access else {
        continue
      }
      // After the first step, fewer alternatives are needed.
      let rest = plans(
        from: after, depth: depth - 1, limit: depth == Self.depth ? 3 : 2, &budget)
      found += rest.map { [candidate] + $0 }
    }
    return Array(found.prefix(limit))
  }

  /// Returns the changes that could help at the refusing check, with the smallest change first.
  func candidates(for decision: Decision, in facts: AccessFacts) -> [Remedy] {
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

  /// Returns remedies that raise a permitted capability or switch to other IDs that the process has.
  ///
  /// They are possible only as the first step of a plan.
  private func ownCandidates(_ facts: AccessFacts) -> [Remedy] {
    guard facts.access.subject == assessment.subject, facts.access == assessment.access else {
      return []
    }
    let capabilities = assessment.raisableCapabilities
    if let first = capabilities.first {
      let name = first.constant
      return [
        Remedy(
          "Raise \(name), which is in the permitted set of the process, for this open",
          actor: .program, changes: [.raise([first])])
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
            Remedy(
              """
              Switch to \(names.user(user)) and \(names.group(group)), IDs that the process \
              already has,\(what) for this open
              """, actor: .program, changes: changes)
          ]
        }
      }
    }
    return []
  }
}

extension AccessFacts {
  /// Returns the facts after all changes in order; `nil` if one of the changes would fail.
  func applying(_ changes: [FactsChange]) -> AccessFacts? {
    var facts = self
    for change in changes {
      guard let after = change.applied(to: facts) else { return nil }
      facts = after
    }
    return facts
  }
}

/// Alternative requests that the program could make.
extension RemedyPlanner {
  /// Returns fixes that change only the request and nothing on the machine.
  func requestCandidates(
    _ rule: Rule, _ step: Step, _ facts: AccessFacts
  ) -> [Remedy] {
    let request = facts.access.request
    guard case .open(let path, var flags) = request else {
      return linkCandidates(rule, step, facts)
    }
    let title: String
    switch rule {
    case .inodeAppendOnly:
      flags.insert(.append)
      flags.remove(.truncate)
      title = "Open the file for appending (O_APPEND, without O_TRUNC)"
    case .openNoAccessTime:
      flags.remove(.noAccessTime)
      title = "Open it without O_NOATIME"
    case .openExists:
      flags.remove(.exclusive)
      title = "Open the existing file, without O_EXCL"
    case .createSticky:
      flags.subtract([.create, .exclusive])
      title = "Open it without O_CREAT"
    default: return linkCandidates(rule, step, facts)
    }
    return [Remedy(title, actor: .program, changes: [.ask(.open(path: path, flags: flags))])]
  }

  /// Returns a fix that opens the target of a link instead of the link.
  private func linkCandidates(
    _ rule: Rule, _ step: Step, _ facts: AccessFacts
  ) -> [Remedy] {
    guard [.symlinkProtected, .symlinkNoSymfollow, .symlinkNoFollow].contains(rule) else {
      return []
    }
    let path = facts.access.request.path
    // A path with a trailing slash requires a directory, and the path of the object has no such
    // slash.
    guard path.utf8.last != UInt8(ascii: "/"), let object = facts.access.object(at: path),
      !object.path.isSame(as: path), object.type != .symbolicLink
    else { return [] }
    return [
      Remedy(
        "Open \(object.path), the target of the link", actor: .program,
        changes: [.ask(facts.access.request.at(object.path))])
    ]
  }
}

/// Fixes for a refusal by the device list of a cgroup.
extension RemedyPlanner {
  /// Returns fixes in the unit of a service or in the options of a container, where the list is
  /// set.
  ///
  /// The result is empty if it is unknown what sets the list.
  func policyCandidates(_ step: Step, _ facts: AccessFacts) -> [Remedy] {
    let remedies: [Remedy]
    let unitRemedies = UnitRemedies(assessment: assessment, names: names)
    let hasUnit = facts.confinement.serviceUnit != nil && !facts.confinement.takesRunOptions
    if hasUnit || !unitRemedies.refusingPolicies.isEmpty {
      remedies = unitRemedies.policyRemedies(step.path) ?? unitRemedies.deviceRemedies(step.path)
    } else {
      let start = ContainerOptions(assessment: assessment, names: names)
      remedies = start.policyRemedies(step.path)
    }
    return remedies.filter { $0.steps.count == 1 && !$0.changes.isEmpty }
  }
}

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
      let decision = facts.access.withoutDeviceProgramDoubt.decide(.brief)
      guard case .denied = decision.outcome else { return nil }
      let after = candidates(for: decision, in: facts).lazy
        .compactMap { facts.applying($0.changes) }
        .first { $0.access != facts.access }
      guard let after else {
        return Obstacle(decision: decision, facts: facts, isForRoot: isForRoot)
      }
      facts = after
    }
    return nil
  }
}
