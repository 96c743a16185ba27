/// Decides the question again on the facts that a remedy leaves behind, and keeps only what then
/// grants.
struct RemedyProver {
  let assessment: Assessment
  let names: Names
  let planner: RemedyPlanner
  /// The facts with the case of this very object.
  private let before: AccessFacts
  /// What udev does to the node in question at the next event; `nil` without a device.
  private let event: NodeEvent?

  init(_ assessment: Assessment, names: Names) {
    self.assessment = assessment
    self.names = names
    planner = RemedyPlanner(assessment, names: names)
    var facts = assessment.facts
    facts.access = assessment.access
    facts.kernelChecks = assessment.checks
    if !assessment.isRefusedOutsideModel || assessment.objectOfUnknownOwner != nil {
      // What the model explains is explained: after the change the kernel has to be asked anew.
      facts.kernelChecks = []
      facts.attempts = []
    }
    before = facts
    let node = assessment.device?.node
    event = assessment.isGranted ? nil : node.flatMap { NodeEvent(at: $0, in: facts) }
  }

  /// The plans of the permissions themselves, each a proven remedy.
  func plannedRemedies() -> [Remedy] {
    // Where the mount gives the owner, no list and no owner can be set.
    if MountOwner(assessment: assessment, names: names).mount != nil { return [] }
    if let node = assessment.objectOfUnknownOwner, let mount = before.access.mount(of: node.path) {
      // The decision does not get as far as a refusal from which a plan could start.
      return planner.joins(node, assessment.wanted, mount, before).compactMap {
        proven(Self.remedy($0))
      }
    }
    // Commands of the host have the host's numbers.
    guard case .refused = assessment.verdict, !assessment.facts.hasForeignNumbers,
      !isHiddenFromContainer
    else { return [] }
    return planner.plans(from: before).compactMap { plan in
      guard !plan.isEmpty else { return nil }
      return shortest(plan.map(Self.remedy))
    }
  }

  /// Whether a container shows the object as nobody's, so that whose it is outside, and by which numbers,
  /// is not known.
  private var isHiddenFromContainer: Bool {
    guard assessment.facts.confinement.container != nil,
      let node = assessment.decidingStep?.node, node.type.isDevice
    else { return false }
    return node.uid == Subject.overflowID && node.gid == Subject.overflowID
      && assessment.subject.userNamespace != nil
      && assessment.subject.unobserved.contains(.overflowIDs)
  }

  /// The sequence as one proven remedy, without the steps that it works without.
  private func shortest(_ sequence: [Remedy]) -> Remedy? {
    var sequence = sequence
    for index in sequence.indices.reversed() where sequence.count > 1 {
      var rest = sequence
      let step = rest.remove(at: index)
      // What a step only assumes, the facts do not show to be needless.
      guard step.assumes == nil, !step.changes.isEmpty,
        let after = before.applying(rest.flatMap(\.changes)), verdict(on: after) == .granted
      else { continue }
      sequence = rest
    }
    return proven(Self.joined(sequence))
  }

  /// What no change gets past; `nil` when the search ends in a grant.
  var obstacle: RemedyPlanner.Obstacle? { planner.obstacle(from: before) }

  /// The remedy as it may be printed: proven, completed by what is missing, or as one that
  /// assumes something; `nil` when it does not help.
  func checked(_ remedy: Remedy) -> [Remedy] {
    // Without a change nothing is proven, and without a condition nobody can check it.
    guard !remedy.changes.isEmpty else { return remedy.assumes == nil ? [] : [remedy] }
    guard !assessment.isGranted, let after = before.applying(remedy.changes) else { return [] }
    if let proven = proven(remedy) { return [proven] }
    return planner.plans(from: after, limit: 2).compactMap { plan in
      plan.isEmpty ? nil : shortest([remedy] + plan.map(Self.remedy))
    }
  }

  /// The remedy with all that follows from its change, if the change grants.
  private func proven(_ remedy: Remedy) -> Remedy? {
    guard let after = before.applying(remedy.changes) else { return nil }
    var remedy = remedy
    let verdict = verdict(on: after)
    if verdict == .undecided, remedy.assumes == nil { remedy.assumes = unknownNumber }
    guard verdict == .granted || (verdict == .undecided && remedy.assumes != nil),
      let steps = StepReach.settled(remedy.steps, from: before)
    else { return nil }
    remedy.steps = steps
    let reach = RemedyReach(from: before, to: after, by: remedy.changes)
    if case .deviceEvent = remedy.end, let event {
      remedy.end = event.end(on: after) { self.verdict(on: $0) == verdict }
    }
    remedy.gains = reach.gains
    remedy.losses = reach.losses
    remedy.assumes = remedy.assumes ?? ownMounts(remedy)
    let words = GainWords(names: names, subject: assessment.subject)
    remedy.excess = words.excess(of: remedy)
    remedy.loss = words.clause(of: remedy.losses)
    if !remedy.changes.contains(.lift(.deviceProgram)), let policy = unreadPolicy {
      remedy.assumesPolicyOnly = remedy.assumes == nil
      remedy.assumes = Self.both(remedy.assumes, policy)
    }
    return remedy
  }

  /// That the node is the device, where nothing that was observed tells what has its number.
  private var unknownNumber: String? {
    guard case .unknownNumber(let number) = assessment.standIn else { return nil }
    let kind = assessment.facts.kind ?? "device"
    return "the device \(number.major):\(number.minor) is a \(kind), which the facts do not show"
  }

  private func verdict(on after: AccessFacts) -> Assessment.Verdict {
    var access = after.access.withoutDeviceProgramDoubt
    access.subject.unobserved.remove(.deviceCgroup)
    let device = after.devices.first { $0.node == assessment.device?.node } ?? assessment.device
    return Assessment(
      after, access: access, device: device, checks: after.kernelChecks, isShown: false
    ).verdict
  }

  /// What a remount takes for granted of a service, whose own settings can make a mount read-only.
  private func ownMounts(_ remedy: Remedy) -> String? {
    let isNeeded = remedy.changes.contains { change in
      guard case .remount(let place, let option) = change,
        option == .readWrite || option == .filesystemReadWrite
      else { return false }
      return before.access.mounts.last { $0.at.isSame(as: place) }?.readOnly == true
    }
    // Where the settings are known, the step itself says what they do.
    let confinement = assessment.facts.confinement
    guard confinement.service?.knownProtections == nil, let unit = confinement.serviceUnit else {
      return nil
    }
    guard isNeeded else {
      let edited = remedy.changes.lazy.compactMap(\.editedPath)
      let mount = edited.compactMap { before.access.mount(of: $0) }
        .first(where: confinement.isReadOnlyInService)
      return mount.map { "\($0.at) is read-only for \(unit) alone" }
    }
    return "no setting of \(unit), such as ProtectSystem= or ReadOnlyPaths=, makes it read-only"
  }

  /// A device policy that was not seen and could still refuse, where there are such policies.
  private var unreadPolicy: String? {
    guard assessment.subject.unobserved.contains(.deviceCgroup),
      assessment.access.object(at: assessment.access.request.path)?.type.isDevice == true,
      assessment.kernelErrno != 0
    else { return nil }
    let confinement = assessment.facts.confinement
    let owner = confinement.container.map { "the \($0) container" } ?? confinement.serviceUnit
    return owner.map { "the device policy of \($0), which could not be read, lets it pass" }
  }

  // MARK: - Putting together

  private static func remedy(_ step: RemedyPlanner.Step) -> Remedy {
    Remedy(
      step.title, steps: [step.step], scope: step.scope, takesEffect: step.takesEffect,
      until: step.end, assumes: step.assumes)
  }

  /// Several remedies as one sequence.
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
      joined.scope = both(joined.scope, remedy.scope)
      joined.takesEffect = joined.takesEffect ?? remedy.takesEffect
      joined.end = min(joined.end, remedy.end)
      joined.assumes = both(joined.assumes, remedy.assumes)
    }
    return joined
  }

  private static func both(_ first: String?, _ second: String?) -> String? {
    guard let first else { return second }
    guard let second, second != first else { return first }
    return first + "; " + second
  }
}
