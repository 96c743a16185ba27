/// Writes the fixes of a refusal as exact commands, in the order of ``RemedyOrder``.
///
/// The permissions of nodes are the planner's; what else a layer can do, it says itself. Every
/// remedy goes through the prover. Every name and path is quoted for the shell. No remedy opens a
/// device to everybody.
struct AdviceWriter: AssessmentReader {
  /// What is printed of fixes.
  struct Advice {
    var remedies: [Remedy] = []
    /// What tells more and changes nothing.
    var lookups: [Lookup] = []
    /// What the object is, where opening it to others is no fix, or why nothing mends it.
    var note: String?
  }

  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  init(_ assessment: Assessment) {
    layers = Layers(assessment)
  }

  /// The remedies in order, and the commands that show more.
  func advice(for causes: [Cause]) -> Advice {
    var advice = Advice()
    for lookup in causes.flatMap({ layers[$0]?.lookups(for: $0) ?? [] })
    where !advice.lookups.contains(lookup) {
      advice.lookups.append(lookup)
    }
    advice.lookups = Array(advice.lookups.prefix(4))
    let objects = GuardedObjects(assessment: assessment, names: names)
    if let album = objects.albumAdvice(causes) {
      advice.note = album.note
      advice.remedies = album.remedies
      return advice
    }
    let prover = RemedyProver(assessment, names: names)
    var remedies: [Remedy] = []
    // A container cannot be given a node that the machine itself lacks.
    let isMissing = device == nil && causes.contains { $0.isProven && $0.code.leavesNoNode }
    let offered = causes.filter { !isMissing || $0.code != .nodeHidden }
      .flatMap { layers[$0]?.remedies(for: $0) ?? [] }.flatMap(prover.checked)
    let planned = causes.first?.code.isOfOtherObject == true ? [] : prover.plannedRemedies()
    for remedy in offered + planned
    where !remedies.contains(where: { $0.isLike(remedy) }) {
      remedies.append(remedy)
    }
    let guarded = objects.checked(remedies)
    advice.note = guarded.note
    // Membership fixes the named cause in the way that the node was set up for, unless the group is a
    // person's.
    let isFirst = { (remedy: Remedy) in
      causes.first?.code == .groupNotMember && isOfDevice && remedy.isMembership == isDeviceOfGroup
    }
    let ordered = RemedyOrder.ordered(guarded.remedies, preferring: isFirst)
    advice.remedies = Array(ordered.prefix(6))
    if let first = causes.first, isMendedByItsOwn(first.code) {
      let own = layers[first]?.remedies(for: first).map(\.title) ?? []
      let split = (
        of: advice.remedies.filter { own.contains($0.title) },
        others: advice.remedies.filter { !own.contains($0.title) }
      )
      advice.remedies = split.of + split.others
      if split.of.first?.end.isLasting == true,
        let interim = advice.remedies.firstIndex(where: \.isInterim)
      {
        advice.remedies.insert(advice.remedies.remove(at: interim), at: 1)
      }
    }
    if let rule = RuleRemedies(assessment, names: names).leading {
      // What the administrator wrote for the device comes before anything that is added.
      let isOfRule = { (remedy: Remedy) in remedy.commands.starts(with: rule.commands) }
      advice.remedies =
        advice.remedies.filter(isOfRule) + advice.remedies.filter { !isOfRule($0) }
    }
    if let condition = layers.policies.hostNodeCondition {
      let own = layers.policies.hostNodeRemedies().map(\.title)
      advice.remedies = advice.remedies.map { own.contains($0.title) ? $0 : $0.assuming(condition) }
    }
    // Nothing has to be written for a user who is in the group of the node already.
    advice.remedies =
      advice.remedies.filter(\.isNewLogin) + advice.remedies.filter { !$0.isNewLogin }
    if let root = confinement.service?.rootDirectory {
      advice.remedies = advice.remedies.map { $0.outside(of: root, assessment.access) }
    }
    if advice.note == nil, advice.remedies.isEmpty, case .refused = assessment.verdict {
      advice.note = causes.first.flatMap(noFix)
    }
    if advice.note == nil, assessment.isGranted { advice.note = socketNote }
    return advice
  }

  /// Whether the fixes of the cause itself come first.
  private func isMendedByItsOwn(_ code: CauseCode) -> Bool {
    switch code {
    // What lets the user at the node is the least, and does not let them at the cards.
    case .polkitRefused: true
    // The manager of a system container chose the number; inside, any group may have it.
    case .gidMismatch: confinement.isSystemContainer && ContainerManager(of: facts) != nil
    // A policy that does not allow it is not changed by a group or an entry.
    case .selinux: !layers.policies.hostNodeRemedies().isEmpty
    default: false
    }
  }

  private var isOfDevice: Bool { assessment.decidingStep?.node?.type.isDevice == true }

  /// Whether the group of the node is one for such devices, and not that of a person.
  private var isDeviceOfGroup: Bool {
    guard let node = assessment.decidingStep?.node, node.type.isDevice else { return false }
    let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: node.path)
    return node.gid < 1000 || usual != nil && names.groupName(node.gid) == usual
  }

  /// What the answer is about, where the object is a socket; `nil` for anything else.
  private var socketNote: String? {
    guard let object = assessment.object, object.type == .socket else { return nil }
    return """
      \(object.path) is a socket: programs connect to it, which takes write permission, and open(2) \
      gives ENXIO.
      """
  }

  /// Why no fix is printed.
  private func noFix(for cause: Cause) -> String? {
    if cause.code == .unknown { return "The cause is unknown, so no fix is known." }
    if let note = layers[cause]?.note(for: cause) { return note }
    guard case .refused = assessment.verdict else { return nil }
    if assessment.isRefusedOutsideModel {
      return """
        The cause lies outside the modes, lists, groups, mounts and flags that a fix could change.
        """
    }
    if assessment.standIn?.opensNothing == true {
      return """
        No permission helps: there is no driver behind the number of this node, so that it cannot be \
        opened.
        """
    }
    let prover = RemedyProver(assessment, names: names)
    guard let obstacle = prover.obstacle else {
      // No permission is missing: those that were seen are not those of what was meant.
      if cause.code.isOfOtherObject { return nil }
      return """
        What would have to change is out of root's reach: the capabilities of root do not count for \
        a directory on the way whose owner or group has no number there.
        """
    }
    return ObstacleWriter(names: names).note(of: obstacle)
  }
}

extension CauseCode {
  /// Whether the machine has no node for the hardware, inside a container or outside.
  fileprivate var leavesNoNode: Bool {
    switch self {
    case .moduleLoadRefused, .moduleNotBuilt, .nodeAbsentNoDriver, .usbDriverBound,
      .usbNotAuthorized, .usbNotConfigured, .hardwareOff:
      true
    default: false
    }
  }

  /// Whether the permissions that were seen are not those of what was meant: they are a cover's,
  /// another device's, a login's, or will be set by udev in a moment.
  fileprivate var isOfOtherObject: Bool {
    switch self {
    case .bootRace, .nodeNotADevice, .wrongNodeMetadata, .wrongNodePipeline, .loopbackCaps,
      .unitInaccessiblePath, .unitProtectHome, .nodeRenumbered, .containerHotplug,
      .nodeOtherDevice, .nodeNoDriver, .nodeDeviceGone, .nodeTaken:
      true
    default: false
    }
  }
}
