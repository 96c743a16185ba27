/// Collects the causes of a refusal from the layers and orders them.
///
/// The first cause is the one to report. Additional causes and other possible causes follow.
struct RefusalCauses: AssessmentReader {
  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  init(_ assessment: Assessment) {
    layers = Layers(assessment)
  }

  /// Returns all causes, starting with the one to report; empty for a grant without reservations.
  func causes() -> [Cause] {
    var causes: [Cause]
    switch assessment.conclusion {
    case .granted: causes = []
    case .absent where assessment.replacingObject != nil:
      // If it is not known what has the number, the attempt says that nothing has.
      let isUnknown = if case .unknownNumber = assessment.replacingObject { true } else { false }
      causes = isUnknown ? [layers.use.goneCause()].compactMap(\.self) : []
    case .absent:
      let rule = assessment.decision.rule
      causes =
        rule == .walkNoEntry || rule == nil || assessment.decision.isGranted
        ? AbsenceCauses(layers: layers).causes()
        : rule.map { [layers.paths.plainCause($0, at: place)] } ?? []
    case .undecided: causes = undecidedCauses()
    case .refused(let errno):
      causes =
        assessment.isRefusedOutsideModel
        ? causesBehindUnknownRules(errno) ?? KernelOnlyCauses(layers: layers).causes(errno)
        : ruleCauses()
    }
    causes += nodeCauses()
    // If udev's rules were read, their explanation is more specific: keep the order.
    if causes.first?.code == .uaccessNotTagged, facts.rules == nil,
      let companion = causes.firstIndex(where: { $0.code == .auxNode })
    {
      // The companion comes first: the missing tag matters only because programs need the node.
      var needed = causes.remove(at: companion)
      needed.summary += causes.first.map { " \($0.summary)" } ?? ""
      causes.insert(needed, at: 0)
    }
    if let card = layers.use.cardCause() {
      // Fixing only the node does not give access to the cards, because pcscd holds the reader.
      causes.insert(card, at: causes.isEmpty || assessment.isGranted ? causes.endIndex : 0)
    } else {
      // pcscd itself holds a reader whose cards it refuses, so its use of the reader is not a
      // further cause.
      causes += layers.use.useCauses()
    }
    causes += [layers.sandboxes.databaseCause()].compactMap(\.self)
    if let portal = layers.portal.portalCause() { causes.insert(portal, at: 0) }
    if let replacingObject = layers.nodes.replacingObjectCause() {
      // For a node without a driver, the refusal is reported first, but fixing it is not enough.
      if case .noDriver = assessment.replacingObject, replacingObject.code == .nodeNoDriver {
        causes.append(replacingObject)
      } else {
        causes.insert(replacingObject, at: 0)
      }
    }
    if let profile = layers.policies.profileCause() { causes.insert(profile, at: 0) }
    if let label = layers.policies.unaskedCause() {
      causes.insert(label, at: layers.policies.isShownAllowed ? 0 : causes.endIndex)
    }
    var seen: Set<CauseCode> = []
    causes = causes.filter { seen.insert($0.code).inserted }
    layers.permissions.addModuleGroups(to: &causes)
    // The start cause has the code of another refusal, and both must be fixed.
    return causes + [layers.units.startCause()].compactMap(\.self)
  }

  /// Returns the causes that depend on the type of the node, regardless of its permissions.
  private func nodeCauses() -> [Cause] {
    guard assessment.conclusion != .absent else { return [] }
    let nodes = layers.nodes
    let wrong = nodes.wrongNodeCause()
    return [
      wrong?.code == .wrongNodePipeline ? layers.use.pipelineCause() : nil, wrong,
      layers.hardware.privacyCause(), nodes.unfedCause(),
      nodes.companionCause(), layers.hardware.closedCause(),
    ].compactMap(\.self)
  }

  /// Returns the causes of a refusal by the rule that decided.
  private func ruleCauses() -> [Cause] {
    guard let rule = assessment.decision.rule, let step = assessment.decidingStep else {
      return undecidedCauses()
    }
    let at = assessment.decision.at ?? step.path
    var causes: [Cause]
    switch rule {
    case .modeOwner, .modeGroup, .modeOther, .aclUser, .aclGroup, .aclMask, .aclOther,
      .overrideFileAccess, .readAndSearch:
      causes = step.node.map { permissionCauses(at: $0, step: step) } ?? undecidedCauses()
      if let node = step.node, let first = causes.first {
        let seats = layers.seats
        causes[0] = seats.withNarrowingRule(seats.withEarlierGroup(first, node), node)
      }
    case .inodeUnmappedID:
      causes = [layers.containers.unmappedThroughMountCause(at: at)]
    case .mountNodev:
      causes = [layers.units.hiddenByUnit(at: step.node) ?? layers.mounts.nodevCause(at: at)]
    case .mountReadOnly, .superblockReadOnly:
      causes = [layers.mounts.readOnlyCause(at: at)]
    case .deviceCgroup:
      causes = KernelOnlyCauses(layers: layers).deviceCgroupCauses(at: at, isProven: true)
    default:
      causes = [layers.paths.plainCause(rule, at: at)]
    }
    if assessment.couldRaise { causes.insert(layers.permissions.capabilityCause(at: at), at: 0) }
    if case .refused(let errno) = assessment.conclusion {
      causes += [layers.policies.hostNodeCause(errno)].compactMap(\.self)
    }
    return causes
  }

  private func undecidedCauses() -> [Cause] {
    if let member = layers.permissions.unknownOwnerCause() { return [member] }
    if let fuse = layers.mounts.fuseCause() { return [fuse] }
    if let shown = layers.mounts.likelyShownModeCause() { return [shown] }
    if let readOnly = layers.mounts.likelyReadOnlyCause() { return [readOnly] }
    let summary: String
    if let unseen = assessment.unseenDevices, let kind = facts.kind {
      summary = "It could not be determined whether there is a \(kind) to use: \(unseen)."
    } else if let demand = assessment.unmetDemand {
      summary = unknown(demand.words(facts.confinement))
    } else if case .undecided(let reason) = assessment.decision.outcome {
      if let snap = layers.sandboxes.untaggedCause() { return [snap] }
      let whole = facts.unobserved.completing(reason)
      summary = unknown(whole)
    } else if facts.snapHides(path), assessment.decision.isGranted,
      assessment.disagreement == nil
    {
      let sandboxes = layers.sandboxes
      return [
        path.hasPrefix("/dev/") ? sandboxes.snapCause(at: path) : sandboxes.snapFileCause()
      ]
    } else if let unseen = assessment.unseenRestriction {
      summary = unknown(unseen)
    } else if let withheld = assessment.withheldOpening {
      summary = unknown(withheld)
    } else if assessment.kernelErrno == .timedOut {
      summary = unknown("the kernel did not answer in time")
    } else if assessment.disagreement != nil {
      summary = """
        The observed permissions and the kernel disagree about \(path), so something was not \
        observed.
        """
    } else {
      summary = "Nothing that was observed explains why \(path) is refused."
    }
    return [Cause(.unknown, summary: summary, at: path, isProven: false)]
  }

  private func unknown(_ reason: String) -> String {
    "It could not be determined whether \(path) can be used: \(reason)."
  }

  // MARK: - Modes and lists

  /// Returns the causes of a refusal by a node on a path through a filesystem with its own rules.
  private func causesBehindUnknownRules(_ errno: Errno) -> [Cause]? {
    guard errno == .permissionDenied, let step = assessment.shownRefusal, let node = step.node,
      access.mount(of: node.path)?.usesGenericPermissions == true,
      !layers.containers.isWithoutIDs(node)
    else { return nil }
    var causes = permissionCauses(at: node, step: step)
    // The filesystem on the path could have refused access as well.
    for index in causes.indices { causes[index].isProven = false }
    return causes.isEmpty ? nil : causes
  }

  /// Returns the causes of a refusal by the mode bits or the access control list of a node.
  private func permissionCauses(at node: Node, step: Step) -> [Cause] {
    let isSearch = step.action == .search
    var causes: [Cause] = []
    if let covered = layers.units.cause(covering: node) { return [covered] }
    if let removed = layers.containers.removedNodeCause() { return [removed] }
    if assessment.wouldGrantAfterLogin {
      causes += layers.permissions.staleGroupCauses(at: node, wanted: step.wanted)
    }
    if let owner = layers.containers.hiddenOwnerCause(node) { return [owner] }
    if let unmapped = layers.containers.unmappedCause(at: node, wanted: step.wanted) {
      causes += layers.containers.namespaceCauses(unmapped)
      // If the owner and group of a node are not known, no other cause can be determined.
      if layers.containers.isWithoutIDs(node) { return causes }
    }
    if isSearch, let cover = layers.sandboxes.coveredFolder(node) { return [cover] }
    if isSearch {
      causes.append(layers.directories.closedDirectory(node, step))
    }
    causes +=
      layers.permissions.ruleCause(at: node, step: step).map { [$0] }
      ?? otherCauses(at: node, step: step)
    return causes
  }

  /// Returns the causes if the bits for others decided, because no other class matches the subject.
  ///
  /// For a device, the cause is the rule that should have granted access, and otherwise the owner.
  private func otherCauses(at node: Node, step: Step) -> [Cause] {
    guard step.action != .search else { return [] }
    guard node.type.isDevice else { return [layers.permissions.otherOwnerCause(node, step)] }
    var causes = deviceCauses(node, step)
    if let stale = layers.seats.staleEntryCause(node) { causes.append(stale) }
    return causes
  }

  private func deviceCauses(_ node: Node, _ step: Step) -> [Cause] {
    let seats = layers.seats
    let permissions = layers.permissions
    let member = [permissions.memberCause(at: node, step: step)].compactMap(\.self)
      .map { seats.withGuestRule(layers.containers.withAccident($0, node), node) }
    if let race = seats.bootRace(node) { return [race] + member }
    if let taken = layers.use.takenCause(node) { return [taken] }
    let rule = seats.ruleCause(
      node, otherwise: member.first ?? permissions.ownerOnly(node, step, isRuled: true))
    var causes = [rule].compactMap(\.self) + deviceCauses(node, step, member)
    if !causes.isEmpty { causes[0].summary += layers.use.loginSentence(node) }
    return causes
  }

  /// Returns the causes that no udev rule for the device explains.
  private func deviceCauses(_ node: Node, _ step: Step, _ member: [Cause]) -> [Cause] {
    let seats = layers.seats
    let permissions = layers.permissions
    if let container = confinement.container, !isOfUnit,
      !["flatpak", "bubblewrap", "firejail"].contains(container)
    {
      return layers.containers.containerCauses(
        node, step, member: member.first, owner: permissions.ownerOnly(node, step)
      ).map { layers.containers.withHost($0, node) }
    }
    if confinement.isSystemContainer, !member.isEmpty,
      let mismatch = layers.containers.mismatchCause(node)
    {
      return [layers.containers.withAccident(mismatch, node)]
    }
    if let dynamic = layers.units.dynamicUserCause(node) { return [dynamic] + member }
    guard let device = assessment.device else {
      return member.isEmpty ? [permissions.ownerOnly(node, step)] : member
    }
    if device.isTaggedForUserAccess {
      // A service never has a seat; it lacks membership in the group.
      if confinement.serviceUnit != nil, facts.session?.id == nil, !seats.isActive(on: device) {
        return member + [seats.activeSessionCause(node, device)]
      }
      // If the user cannot become active on the seat, only the group helps.
      if !member.isEmpty, !seats.canBecomeActive(on: device) {
        return member + [seats.activeSessionCause(node, device)]
      }
      let late = seats.isActive(on: device) && !device.isUsuallyTagged
      return (late ? [seats.lateTagCause(node)] : []) + [seats.activeSessionCause(node, device)]
        + member
    }
    guard device.hasUdevData, assessment.canHaveSeat else {
      guard member.isEmpty else { return member }
      let owner = seats.withSession(permissions.ownerOnly(node, step))
      // If udev has finished and left the node to root, the user of the seat needs a rule.
      return device.isInitialized && seats.isActive(on: device) && device.isOfSeats
        ? [seats.untaggedCause(node, device), owner] : [owner]
    }
    let untagged = seats.untaggedCause(node, device)
    // The user of the seat gets access to a camera through the tag, and a service through the
    // group. A group such as `input`, whose members can read every keyboard, is more than a
    // plugged-in device needs.
    let isWide = device.isPluggable && DeviceGroup.reach(of: names.groupName(node.gid)) != nil
    // An administrator's rule that names the group shows who is meant to have the device.
    let isIntended = !member.isEmpty && seats.isGivenByAdministrator(node)
    if member.isEmpty
      || (seats.isActive(on: device) && !isIntended && (device.isUsuallyTagged || isWide))
    {
      return [untagged] + member
    }
    return seats.isActive(on: device) ? member + [untagged] : member
  }
}

/// Finds the causes of a refusal that only the kernel reports, because of a rule outside the model.
struct KernelOnlyCauses: AssessmentReader {
  let layers: Layers

  var assessment: Assessment { layers.assessment }
  var names: Names { layers.names }

  /// Returns the causes of a refusal with the given error.
  func causes(_ errno: Errno) -> [Cause] {
    if let demand = assessment.unmetDemand { return [layers.use.demandCause(demand)] }
    if assessment.decision.creationError(access) == errno {
      return [layers.paths.plainCause(.createUnsupported, at: path)]
    }
    if errno == .readOnlyFilesystem, let protected = layers.use.protectedCause() {
      return [protected]
    }
    if errno == .readOnlyFilesystem {
      return [layers.mounts.readOnlyCause(at: assessment.decidingStep?.path ?? path)]
    }
    if errno == .permissionDenied, let fuse = layers.mounts.fuseCause() { return [fuse] }
    if let shown = layers.mounts.shownModeCause(errno) {
      return [shown] + [layers.mounts.serverCause()].compactMap(\.self)
    }
    if let nodev = layers.mounts.hiddenNodevCause(errno) { return [nodev] }
    if let automount = layers.mounts.automountCause(errno) { return [automount] }
    if let abandoned = layers.mounts.abandonedFuseCause(errno) { return [abandoned] }
    if let removed = layers.containers.removedNodeCause() { return [removed] }
    if let snap = layers.sandboxes.snapCauses(errno) { return snap }
    if let label = layers.policies.labelCause(errno) {
      let isOfSnap = confinement.container == "snap" && confinement.enforcedLabel != nil
      return (isOfSnap ? [layers.sandboxes.snapCause(at: path)] : []) + [label]
    }
    let attempted = attemptCauses(errno)
    if !attempted.isEmpty { return attempted }
    let isDevice = assessment.object?.type.isDevice ?? false
    if errno == .notPermitted, isDevice {
      // A seccomp filter can return EPERM instead of the kernel, and to the kernel check too.
      return deviceCgroupCauses(
        at: path, isProven: confinement.seccompMode != nil && facts.isCheckUnfiltered)
    }
    if let server = layers.mounts.serverCause() { return [server] }
    if errno == .permissionDenied, let member = layers.permissions.unknownOwnerCause() {
      return [member] + [layers.policies.hostNodeCause(errno)].compactMap(\.self)
    }
    if case .undecided = assessment.decision.outcome,
      let cause = layers.containers.overflowCause(errno)
    {
      let causes = layers.containers.namespaceCauses(cause)
      guard let label = layers.policies.hostNodeCause(errno) else { return causes }
      // A process without the host's groups is refused regardless of its label.
      return causes.contains { $0.code == .groupsDropped } ? causes + [label] : [label] + causes
    }
    if let label = layers.policies.hostNodeCause(errno) { return [label] }
    return [
      Cause(
        .unknown,
        summary: """
          The kernel refuses access to \(path) (\(errno.name)), and nothing that was observed \
          explains why.
          """, at: path, isProven: false)
    ]
  }

  // MARK: - Attempts

  /// Returns the causes of the refusal of an attempted call.
  ///
  /// The result is empty if nothing was tried, or if the kernel's own check refuses as well.
  private func attemptCauses(_ errno: Errno) -> [Cause] {
    guard let attempt = assessment.attempt, attempt.errno == errno, attempt.operation == .open,
      assessment.kernelErrno ?? 0 == 0
    else { return [] }
    guard attempt.isRefusal else { return [layers.use.failureCause(attempt)] }
    if confinement.seccompMode == 2, let filtered = filterCauses(attempt) { return filtered }
    switch errno {
    case .permissionDenied: return layers.policies.moduleCause(attempt).map { [$0] } ?? []
    case _ where assessment.kernelErrno == 0:
      // A device policy is part of the kernel's own check, which passed.
      return [layers.use.failureCause(attempt)]
    default: return []
    }
  }

  /// Returns the causes of a refusal under a seccomp filter.
  ///
  /// The cause is the filter if the same call on the null device is refused as well, and the device
  /// policy if it is not. Without that call, both are possible.
  private func filterCauses(_ attempt: Attempt) -> [Cause]? {
    let control = layers.policies.controlAttempt(of: attempt)
    let filter = layers.policies.filterCause(attempt, control: control)
    if control?.errno == attempt.errno { return [filter] }
    guard attempt.errno == .notPermitted, assessment.kernelErrno == nil else {
      return control == nil ? [filter] : nil
    }
    let policy = deviceCgroupCauses(at: path, isProven: false)
    return control == nil ? [filter] + policy : policy
  }

  // MARK: - The device control group

  /// Returns the device control group as a cause, with the unit or the container behind it.
  func deviceCgroupCauses(at path: String, isProven: Bool) -> [Cause] {
    let group = layers.containers.groupCause(at: path, isProven: isProven)
    if confinement.container == nil, confinement.isEnforcedSnap, !isOfUnit {
      return [layers.sandboxes.snapCause(at: path), group]
    }
    // A sandbox has no device list, so the list of the surrounding unit applies.
    if let container = confinement.container, container == "snap" || !confinement.isSandbox,
      !isOfUnit || assessment.isRefusedOutsideModel
    {
      if container == "snap" { return [layers.sandboxes.snapCause(at: path), group] }
      if let policies = layers.units.policyCauses(at: path, isProven: isProven) {
        return confinement.isUnitOfHost ? policies : policies + [group]
      }
      return [group] + [layers.containers.newNumberCause(at: path)].compactMap(\.self)
    }
    let units = layers.units
    let causes =
      units.policyCauses(at: path, isProven: isProven)
      ?? [units.devicePolicyCause(at: path)].compactMap(\.self)
    return causes + [group]
  }
}
