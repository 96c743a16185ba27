/// Writes what mends a refusal, least first, as exact commands.
///
/// The permissions of nodes are the planner's; what other layers can do is written here, a file
/// for each of them. Every remedy goes through the prover. Every name and path is quoted for the
/// shell. No remedy opens a device to everybody.
struct RemedyWriter: JudgementReader {
  /// What is printed of fixes.
  struct Advice {
    var remedies: [Remedy] = []
    /// What tells more and changes nothing.
    var lookups: [Lookup] = []
    /// What the object is, where opening it to others is no fix, or why nothing mends it.
    var note: String?
  }

  let judgement: Judgement
  let names: Names

  init(_ judgement: Judgement) {
    self.judgement = judgement
    names = Names(judgement.facts.account, subject: judgement.subject)
  }

  /// The remedies, the least first, with what tells more.
  func advice(for causes: [Cause]) -> Advice {
    var advice = Advice()
    for lookup in causes.flatMap(lookups) where !advice.lookups.contains(lookup) {
      advice.lookups.append(lookup)
    }
    advice.lookups = Array(advice.lookups.prefix(4))
    if let guarded = guardedObject(causes) {
      advice.note = guarded.note
      advice.remedies = guarded.remedies
      return advice
    }
    let prover = RemedyProver(judgement, names: names)
    var remedies: [Remedy] = []
    // A container cannot be given a node that the machine itself lacks.
    let isMissing = device == nil && causes.contains { $0.isProven && $0.code.leavesNoNode }
    let offered = causes.filter { !isMissing || $0.code != .nodeHidden }
      .flatMap { self.remedies(for: $0) }.flatMap(prover.checked)
    let planned = causes.first?.code.isOfOtherObject == true ? [] : prover.plannedRemedies()
    for remedy in offered + planned
    where !remedies.contains(where: { $0.isLike(remedy) }) {
      remedies.append(remedy)
    }
    let order = remedies.indices.sorted { first, second in
      if remedies[first].isLess(than: remedies[second]) { return true }
      return !remedies[second].isLess(than: remedies[first]) && first < second
    }
    advice.remedies = order.prefix(6).map { remedies[$0] }
    if let root = confinement.service?.rootDirectory {
      advice.remedies = advice.remedies.map { $0.outside(of: root, judgement.access) }
    }
    if advice.remedies.isEmpty, case .refused = judgement.verdict {
      advice.note = causes.first.flatMap(noFix)
    }
    return advice
  }

  /// What a layer can do about a cause.
  private func remedies(for cause: Cause) -> [Remedy] {
    let at = cause.at ?? judgement.access.request.path
    let node = judgement.access.nodes.first { $0.path == at }
    return switch cause.code {
    case .groupNotMember, .gidMismatch, .containerNoAccess:
      confinement.container == nil
        ? [entryRule(at)].compactMap(\.self)
        : containerRemedies(node, at) + managedNodeRemedies(node, cause.code)
    case .nodeHidden, .containerHotplug: containerRemedies(node, at)
    case .groupNotRefreshed, .groupsDropped: loginRemedies()
    case .aclAbsent: [triggerAgain(at)].compactMap(\.self)
    case .modeOwner:
      device?.isInitialized == true ? [tagRule(), entryRule(at)].compactMap(\.self) : []
    case .parentNotSearchable, .albumTraverse: drivePlaceRemedies(at)
    case .uaccessNotActive: [switchSession()].compactMap(\.self)
    case .uaccessNotTagged: [tagRule()].compactMap(\.self)
    case .bootRace: bootRemedies()
    case .auxNode: [entryRule(at)].compactMap(\.self) + companionRemedies(node, at)
    case .usernsUnmapped: namespaceRemedies(node, at)
    case .mountNodev: mountRemedies(at)
    case .mountReadOnly: unitWriteRemedies()
    case .cgroupDevice: cgroupRemedies(at)
    case .unitPrivateDevices: policyRemedies(at) ?? unitDeviceRemedies(at)
    case .unitPolicyOutdated: outdatedPolicyRemedies()
    case .unitProtectHome: unitHomeRemedies(at)
    case .unitInaccessiblePath: unitPathRemedies(at)
    case .snapInterface: snapRemedies()
    case .flatpakDevice, .flatpakFilesystem: flatpakRemedies(cause.code, at)
    case .sandboxPrivateDev: sandboxRemedies(at)
    case .albumDirectoryMissing: albumRemedies(at)
    case .nodeAbsentNoDriver: driverRemedies(cause)
    case .usbNotAuthorized, .usbNotConfigured: usbRemedies(cause)
    case .hardwareOff: switchRemedies(cause)
    case .udevNotRunning: udevRemedies(at)
    case .nodeDeviceGone: goneRemedies()
    case .moduleNotBuilt: buildRemedies()
    case .moduleLoadRefused: refusedModuleRemedies()
    case .busy: useRemedies()
    case .portalService: portalBackendRemedies()
    case .selinux, .appArmor: policyModuleRemedies(cause.code)
    case .usbBandwidth: bandwidthRemedies()
    case .portalStoredNo, .portalStoredAsk: portalRemedies(cause.code)
    case .nodeRenumbered, .wrongNodeMetadata, .wrongNodePipeline: otherNodeRemedies(cause.code)
    case .loopbackCaps: loopbackRemedies()
    case .nodeNotADevice: notADeviceRemedies(node, at)
    case .nfsIDMap: serverRemedies()
    default: []
    }
  }

  /// What tells more about a cause.
  private func lookups(for cause: Cause) -> [Lookup] {
    let at = cause.at ?? judgement.access.request.path
    return switch cause.code {
    case .unitPrivateDevices, .cgroupDevice: unitDeviceLookups()
    case .unitInaccessiblePath: unitPathLookups()
    case .selinux, .appArmor: moduleLookups(cause.code)
    case .nodeAbsent, .nodeAbsentNoDriver: absenceLookups()
    case .moduleLoadRefused: moduleLoadLookups()
    case .busy: useLookups(at)
    case .portalService: portalLookups()
    case .openFailed, .seccomp: failureLookups(cause.code)
    case .portalStoredNo, .portalStoredAsk: portalStoreLookups()
    default: []
    }
  }
}

extension CauseCode {
  /// Whether the machine has no node for the hardware, inside a container or outside.
  fileprivate var leavesNoNode: Bool {
    switch self {
    case .moduleLoadRefused, .moduleNotBuilt, .nodeAbsentNoDriver, .usbNotAuthorized,
      .usbNotConfigured, .hardwareOff:
      true
    default: false
    }
  }

  /// Whether the permissions that were seen are not those of what was meant: they are a cover's,
  /// another device's, or will be set by udev in a moment.
  fileprivate var isOfOtherObject: Bool {
    switch self {
    case .bootRace, .nodeNotADevice, .wrongNodeMetadata, .wrongNodePipeline, .loopbackCaps,
      .unitInaccessiblePath, .unitProtectHome, .nodeRenumbered, .containerHotplug,
      .nodeOtherDevice, .nodeNoDriver, .nodeDeviceGone:
      true
    default: false
    }
  }
}

extension Remedy {
  /// Whether both are the same thing to do.
  func isLike(_ other: Remedy) -> Bool {
    let isSilent = commands.isEmpty && options.isEmpty
    guard commands == other.commands, options == other.options else { return false }
    return !isSilent || title == other.title || (!changes.isEmpty && changes == other.changes)
  }
}
