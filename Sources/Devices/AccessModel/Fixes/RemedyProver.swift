/// Decides the question again on the facts that a remedy produces, and keeps only remedies that
/// grant access.
struct RemedyProver {
  let assessment: Assessment
  let names: Names
  let planner: RemedyPlanner
  /// The facts before any remedy, with the access case of this object.
  private let before: AccessFacts
  /// The effect of udev's next event on the node; `nil` without a device, or if access is granted.
  private let event: NodeEvent?

  init(_ assessment: Assessment, names: Names) {
    self.assessment = assessment
    self.names = names
    planner = RemedyPlanner(assessment, names: names)
    var facts = assessment.facts
    facts.access = assessment.access
    facts.kernelChecks = assessment.checks
    if !assessment.isRefusedOutsideModel || assessment.objectOfUnknownOwner != nil {
      // The model explains the refusal, and the previous kernel answers are invalid after a change.
      facts.kernelChecks = []
      facts.attempts = []
    }
    before = facts
    let node = assessment.device?.node
    event =
      assessment.isGranted
      ? nil
      : node.flatMap {
        NodeEvent(at: $0, in: facts, isOfSeat: assessment.isOnSeat)
      }
  }

  /// Returns the proven remedies that change permissions.
  func plannedRemedies() -> [Remedy] {
    // If the mount options set the owner, neither an ACL nor an owner can be set.
    if MountOwner(assessment: assessment, names: names).mount != nil { return [] }
    if let node = assessment.objectOfUnknownOwner, let mount = before.access.mount(of: node.path) {
      // The decision ends before there is any refusal from which a plan could start.
      return planner.joins(node, assessment.wanted, mount, before).compactMap(proven)
    }
    // Commands on the host use the host's numbers.
    guard case .refused = assessment.conclusion, !assessment.facts.hasForeignNumbers,
      !isHiddenFromContainer
    else { return [] }
    return planner.plans(from: before).compactMap { plan in
      plan.isEmpty ? nil : shortest(plan)
    }
  }

  /// A Boolean value that indicates whether a container hides the owner of the object.
  ///
  /// The owner and group show as the overflow ID, and their IDs outside the container are unknown.
  private var isHiddenFromContainer: Bool {
    guard assessment.facts.confinement.container != nil,
      let node = assessment.decidingStep?.node, node.type.isDevice
    else { return false }
    return node.uid == Subject.overflowID && node.gid == Subject.overflowID
      && assessment.subject.userNamespace != nil
      && assessment.subject.unobserved.contains(.overflowIDs)
  }

  /// Returns the sequence as one proven remedy, without unnecessary steps.
  private func shortest(_ sequence: [Remedy]) -> Remedy? {
    var sequence = sequence
    for index in sequence.indices.reversed() where sequence.count > 1 {
      var rest = sequence
      let step = rest.remove(at: index)
      // The facts cannot show whether a step with an assumption is unnecessary.
      guard step.isProven, !step.changes.isEmpty,
        let after = before.applying(rest.flatMap(\.changes)), conclusion(on: after) == .granted
      else { continue }
      sequence = rest
    }
    return proven(Self.joined(sequence))
  }

  /// The obstacle that no change overcomes; `nil` if the search ends in a grant.
  var obstacle: RemedyPlanner.Obstacle? { planner.obstacle(from: before) }

  /// Returns the remedies to print for a candidate.
  ///
  /// Each one is proven, completed with the missing steps, or based on an assumption. The result is
  /// empty if the candidate does not help.
  func checked(_ remedy: Remedy) -> [Remedy] {
    // A remedy without changes cannot be proven, so it must have a condition for the user to check.
    guard !remedy.changes.isEmpty else { return remedy.isProven ? [] : [remedy] }
    guard !assessment.isGranted, let after = before.applying(remedy.changes) else { return [] }
    if let proven = proven(remedy) { return [proven] }
    return planner.plans(from: after, limit: 2).compactMap { plan in
      plan.isEmpty ? nil : shortest([remedy] + plan)
    }
  }

  /// Returns the remedy with all consequences of its changes; `nil` if the changes do not grant
  /// access.
  private func proven(_ remedy: Remedy) -> Remedy? {
    guard let after = before.applying(remedy.changes) else { return nil }
    var remedy = remedy
    let conclusion = conclusion(on: after)
    if conclusion == .undecided, remedy.assumes == nil { remedy.assumes = unknownNumber }
    guard conclusion == .granted || (conclusion == .undecided && !remedy.isProven),
      let steps = StepReach.settled(remedy.steps, from: before)
    else { return nil }
    remedy.steps = steps
    let reach = RemedyReach(from: before, to: after, by: remedy.changes)
    if case .deviceEvent = remedy.end, let event {
      remedy.end = event.end(on: after) { self.conclusion(on: $0) == conclusion }
    }
    remedy.gains = reach.gains
    remedy.losses = reach.losses
    remedy.assumes = remedy.assumes ?? ownMounts(remedy)
    let words = GainWords(names: names, before: before, after: after)
    remedy.excess = words.excess(of: remedy)
    remedy.loss = words.loss(of: remedy)
    if !remedy.changes.contains(.lift(.deviceProgram)), let policy = unreadPolicy {
      remedy.assumesPolicyOnly = remedy.assumes == nil
      remedy.assumes = Remedy.both(remedy.assumes, policy)
    }
    return remedy
  }

  /// The assumption that the node belongs to the device, if it is unknown what has its number.
  private var unknownNumber: String? {
    guard case .unknownNumber(let number) = assessment.replacingObject else { return nil }
    let kind = assessment.facts.kind ?? "device"
    let words = kind == "device" ? "the device that is meant" : "a \(kind) device"
    let text = "\(number.major):\(number.minor)"
    return "the host has \(words) with the number \(text) (this could not be checked)"
  }

  private func conclusion(on after: AccessFacts) -> Assessment.Conclusion {
    var access = after.access.withoutDeviceProgramDoubt
    access.subject.unobserved.remove(.deviceCgroup)
    let device = after.devices.first { $0.node == assessment.device?.node } ?? assessment.device
    return Assessment(
      after, access: access, device: device, checks: after.kernelChecks, detail: .brief
    ).conclusion
  }

  /// Returns the assumption that a remedy needs about the mounts of a service.
  ///
  /// The settings of a service can make its mounts read-only.
  private func ownMounts(_ remedy: Remedy) -> String? {
    let isNeeded = remedy.changes.contains { change in
      guard case .remount(let place, let option) = change,
        option == .readWrite || option == .filesystemReadWrite
      else { return false }
      return before.access.mounts.last { $0.at.isSame(as: place) }?.readOnly == true
    }
    // If the settings are known, the step itself states their effect.
    let confinement = assessment.facts.confinement
    guard confinement.service?.knownProtections == nil, let unit = confinement.serviceUnit else {
      return nil
    }
    guard isNeeded else {
      let edited = remedy.changes.lazy.compactMap(\.editedPath)
      let mount = edited.compactMap { before.access.mount(of: $0) }
        .first(where: confinement.isReadOnlyInService)
      return mount.map { "\($0.at) is read-only for \(unit) only" }
    }
    return "no setting of \(unit), such as ProtectSystem= or ReadOnlyPaths=, makes it read-only"
  }

  /// The assumption about a device policy that could not be read and may still refuse access.
  private var unreadPolicy: String? {
    guard assessment.subject.unobserved.contains(.deviceCgroup),
      assessment.access.object(at: assessment.access.request.path)?.type.isDevice == true,
      assessment.kernelErrno != 0
    else { return nil }
    let confinement = assessment.facts.confinement
    let owner = confinement.container.map { "the \($0) container" } ?? confinement.serviceUnit
    return owner.map {
      "the device policy of \($0) allows the device (this could not be checked)"
    }
  }

  // MARK: - Combining remedies

  /// Combines several remedies into one sequence.
  static func joined(_ remedies: [Remedy]) -> Remedy {
    guard var joined = remedies.first else { return Remedy("", steps: []) }
    for remedy in remedies.dropFirst() {
      let title = remedy.title.prefix(1).lowercased() + remedy.title.dropFirst()
      if !title.isEmpty { joined.title += "; then " + title }
      for step in remedy.steps where !step.isEmpty {
        if let last = joined.steps.last, let merged = last.merged(with: step) {
          joined.steps[joined.steps.count - 1] = merged
        } else {
          joined.steps.append(step)
        }
      }
      joined.scope = Remedy.joined(joined.scope, remedy.scope, by: ", and ")
      joined.takesEffect = joined.takesEffect ?? remedy.takesEffect
      joined.end = min(joined.end, remedy.end)
      joined.assumes = Remedy.both(joined.assumes, remedy.assumes)
      joined.caution = Remedy.both(joined.caution, remedy.caution)
    }
    return joined
  }
}

/// Checks whether the person who runs the commands of a step can reach the objects that they
/// change.
///
/// A command refers to an object by a path, so the person who runs it needs search permission on
/// the directories of that path. A user runs commands in a regular shell, without the capabilities
/// and other IDs of the program. An administrator runs them as root, whose capabilities do not
/// apply to a directory whose owner or group is not mapped.
struct StepReach {
  private var facts: AccessFacts

  init(from facts: AccessFacts) {
    self.facts = facts
  }

  /// Returns the steps, each with an actor who can carry it out; `nil` if no actor can carry out a
  /// step.
  static func settled(_ steps: [Remedy.Step], from facts: AccessFacts) -> [Remedy.Step]? {
    var reach = StepReach(from: facts)
    var settled: [Remedy.Step] = []
    for step in steps {
      guard let step = reach.settle(step) else { return nil }
      settled.append(step)
    }
    return settled
  }

  private mutating func settle(_ step: Remedy.Step) -> Remedy.Step? {
    let start = facts
    defer { facts = start.applying(step.changes) ?? start }
    guard !step.commands.isEmpty else { return step }
    var step = step
    let actors: [Remedy.Actor] =
      step.actor == .user ? [.user, .administrator] : [step.actor]
    for actor in actors {
      step.actor = actor
      if Self.reachesEverything(step, from: start) { return step }
    }
    return nil
  }

  private static func reachesEverything(_ step: Remedy.Step, from start: AccessFacts) -> Bool {
    guard let shell = shell(of: step.actor, start) else { return true }
    // The administrator may have another root directory, but the user's programs are in this one.
    if step.actor == .user, !mayRunPrograms(shell, start.access) { return false }
    var facts = start
    for change in step.changes {
      if let path = change.namedPath, !reaches(path, shell, facts.access) { return false }
      facts = change.applied(to: facts) ?? facts
    }
    return true
  }

  private static func shell(of actor: Remedy.Actor, _ facts: AccessFacts) -> Subject? {
    switch actor {
    case .user:
      let user = facts.access.subject
      let groups = facts.account.loginGroups
      var shell = Subject(
        uid: user.ruid, gid: groups?.first ?? user.rgid, groups: groups ?? user.groups)
      if shell.ruid == 0 { shell.raiseEverything() }
      return shell
    case .administrator:
      var root = Subject(uid: 0, gid: 0)
      root.raiseEverything()
      return root
    case .packager, .program: return nil
    }
  }

  /// Returns whether the shell can search the root directory, without which it finds no programs.
  private static func mayRunPrograms(_ shell: Subject, _ access: AccessCase) -> Bool {
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: "/", mode: [.search], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }

  private static func reaches(_ path: String, _ shell: Subject, _ access: AccessCase) -> Bool {
    // An object that was not observed is assumed to be reachable.
    guard access.nodes.contains(where: { $0.path.isSame(as: path) }) else { return true }
    var walk = access.withoutDeviceProgramDoubt
    walk.subject = shell
    walk.request = .access(path: path, mode: [], effective: true, noFollow: true)
    if case .denied = walk.verdict().outcome { return false }
    return true
  }
}

extension Subject {
  /// Raises all capabilities, as root has them.
  mutating func raiseEverything() {
    permitted = .all
    effective = .all
  }
}

extension FactsChange {
  /// The path by which the command refers to the object that it changes.
  ///
  /// The value is `nil` for changes that do not need the path, such as those by udev and logind.
  fileprivate var namedPath: String? {
    switch self {
    case .setEntries(let path, _), .replaceList(let path, _), .addMode(let path, _),
      .setMode(let path, _), .changeOwner(let path, _, _), .clearFlag(let path, _),
      .setFlag(let path, _), .remount(let path, _):
      path
    default: nil
    }
  }
}
