/// Modes, owners, access control lists and groups.
struct PermissionsLayer: Layer {
  let assessment: Assessment
  let names: Names

  static let causes: [CauseDescription<PermissionsLayer>] = [
    CauseDescription(
      .modeOwner, "only the owner has access",
      remedies: { layer, cause in
        layer.startRemedies(cause) ?? layer.ownerRemedies(layer.place(of: cause))
      },
      lookups: { layer, _ in layer.ruleLookups }),
    CauseDescription(
      .modeGroup, "group bits give too little",
      remedies: { layer, cause in layer.startRemedies(cause) ?? layer.groupBitsRemedies() },
      lookups: { layer, _ in layer.ruleLookups }),
    CauseDescription(
      .groupNotMember, "not in the group",
      // The node was set up for access through its group, so joining the group fixes the cause,
      // unless it is a user's own group.
      prefers: { layer, remedy in
        layer.isOfDevice && remedy.isMembership == layer.isDeviceOfGroup
      },
      remedies: { layer, cause in
        layer.startRemedies(cause) ?? layer.memberRemedies(layer.place(of: cause))
      },
      lookups: { layer, _ in layer.ruleLookups }),
    CauseDescription(
      .groupNotRefreshed, "group not in this process yet",
      remedies: { layer, _ in layer.loginRemedies() }),
    CauseDescription(
      .groupsDropped, "groups dropped by a launcher",
      remedies: { layer, _ in layer.loginRemedies() }),
    CauseDescription(.aclMask, "ACL mask limits the entry"),
    CauseDescription(.aclNamedEntry, "ACL entry gives too little"),
    CauseDescription(.aclGroupEntry, "ACL group entries give too little"),
    CauseDescription(.capabilityNotEffective, "capability not raised"),
  ]

  // MARK: - Remedies

  /// Returns the fixes in the options of a container, whose groups and modes depend on how it is
  /// started; `nil` without one.
  ///
  /// bubblewrap and firejail keep groups and modes.
  private func startRemedies(_ cause: Cause) -> [Remedy]? {
    guard let container = confinement.container, !["bubblewrap", "firejail"].contains(container)
    else { return nil }
    return ContainersLayer(assessment: assessment, names: names).startRemedies(cause)
  }

  private var isOfDevice: Bool { assessment.decidingStep?.node?.type.isDevice == true }

  /// A Boolean value that indicates whether the node's group is meant for such devices and is not a
  /// user's own group.
  private var isDeviceOfGroup: Bool {
    guard let node = assessment.decidingStep?.node, node.type.isDevice else { return false }
    let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: node.path)
    return node.gid < 1000 || usual != nil && names.groupName(node.gid) == usual
  }

  private func ownerRemedies(_ path: String) -> [Remedy] {
    if !mountOwner.isEmpty { return mountOwner }
    if let rule = rules.attributeRule(path) { return [rule] }
    if let option = driverOption(path) { return [option] }
    if path.isAtOrBelow("/run/lock"), confinement.container == nil, wanted.contains(.write) {
      let use = UseLayer(assessment: assessment, names: names)
      return [use.lockEntry(path)].compactMap(\.self)
    }
    let containers = ContainersLayer(assessment: assessment, names: names)
    if let node = assessment.decidingStep?.node, containers.hiddenOwnerCause(node) != nil {
      return containers.hiddenOwnerRemedies(node)
    }
    if let script = rules.startScript(path) { return [script] }
    if let seatd = seatdRemedy(path) { return [seatd] }
    guard device?.isInitialized == true else {
      return IneffectiveRuleRemedies(assessment, names: names).remedies(or: [])
    }
    return IneffectiveRuleRemedies(assessment, names: names).remedies(
      or: [
        assessment.canHaveSeat ? rules.tagRule() : nil, rules.entryRule(path),
        rules.groupRule(path),
      ])
  }

  private func groupBitsRemedies() -> [Remedy] {
    if !mountOwner.isEmpty { return mountOwner }
    guard confinement.container == nil else { return [] }
    return IneffectiveRuleRemedies(assessment, names: names).remedies(or: [])
  }

  private func memberRemedies(_ path: String) -> [Remedy] {
    if !mountOwner.isEmpty { return mountOwner }
    if let option = driverOption(path) { return [option] }
    return IneffectiveRuleRemedies(assessment, names: names).remedies(
      or: [rules.entryRule(path)] + outsideRemedies)
  }

  /// Returns the fix for a node of NVIDIA's driver, which sets the permissions itself.
  ///
  /// sysfs has no device for these nodes, so udev does not process them.
  private func driverOption(_ path: String) -> Remedy? {
    guard NodeCompanions.isNVIDIA(path), confinement.container == nil, device?.node != path,
      let node = access.object(at: path)
    else { return nil }
    let held = [subject.fsgid] + subject.groups
    let group =
      held.contains(node.gid) && node.gid != 0
      ? node.gid : names.groupID("video").flatMap { held.contains($0) ? $0 : nil }
    let mode: UInt16 = group == nil ? 0o666 : 0o660
    let parameters = NVIDIAParameters(group: group, mode: mode).words
    let line = "options nvidia \(parameters.joined(separator: " "))"
    return Remedy(
      "Have NVIDIA's driver give its nodes to "
        + (group.map(names.group) ?? "every user, as it does by default"),
      commands: [
        "printf '%s\\n' \(line.shellQuoted) > /etc/modprobe.d/zz-devaccess-nvidia.conf"
      ], actor: .administrator,
      changes: [
        .setMode(path: path, mode: mode), .changeOwner(path: path, user: nil, group: group),
      ],
      takesEffect: "at the next boot",
      assumes:
        "no udev rule sets these permissions, and the initial RAM disk does not load the driver")
  }

  /// Returns the fix for the socket of seatd(1), which gives it to the group that its option names.
  private func seatdRemedy(_ path: String) -> Remedy? {
    guard path == "/run/seatd.sock", confinement.container == nil,
      let node = access.object(at: path), node.type == .socket
    else { return nil }
    let held = ([subject.fsgid] + subject.groups).compactMap(names.groupName)
    guard let group = ["seat", "_seatd", "video"].first(where: held.contains) else { return nil }
    return Remedy(
      "Have the service of seatd start it with this option, and restart the service",
      options: ["-g \(group)"], actor: .administrator,
      scope: "every member of \(group) the right to take the seat",
      takesEffect: "when seatd is restarted", assumes: "no other -g option follows")
  }

  /// The fixes outside a user namespace that no engine made.
  private var outsideRemedies: [Remedy?] {
    guard confinement.container == nil, subject.userNamespace != nil,
      let node = assessment.decidingStep?.node
    else { return [] }
    return ContainerOptions(assessment: assessment, names: names).hostEntryRemedies(node)
  }

  private var ruleLookups: [Lookup] { IneffectiveRuleRemedies(assessment, names: names).lookups }

  private var rules: UdevRuleRemedies { UdevRuleRemedies(assessment: assessment, names: names) }

  /// The fix for a filesystem whose mount options set the owner of its files.
  private var mountOwner: [Remedy] { MountOwner(assessment: assessment, names: names).remedies }

  // MARK: - Permission classes and ACL entries

  /// Returns the cause according to the permission class or ACL entry that decided.
  ///
  /// - Returns: The cause; `nil` if neither a class nor an ACL entry for the subject explains the
  ///   refusal.
  func ruleCause(at node: Node, step: Step) -> Cause? {
    let path = node.path
    let wanted = step.wanted
    let isDirectory = node.type == .directory
    let lacking = { (given: Permissions) in
      wanted.subtracting(given).words(isDirectory: isDirectory)
    }
    switch assessment.decision.rule {
    case .aclUser:
      let given = userEntry(of: node)?.permissions ?? []
      return Cause(
        .aclNamedEntry,
        summary: """
          The ACL of \(path) names \(user) with \(given), which lacks \
          \(lacking(given)); this entry beats every group.
          """, at: path)
    case .aclMask:
      return maskCause(node, entry: decidingEntry(of: node))
    case .aclGroup:
      return groupEntryCause(node, wanted: wanted)
    case .modeOwner:
      guard step.action != .search else { return nil }
      if wanted == .execute, !isDirectory, node.mode & 0o111 == 0,
        subject.effective.contains(.overrideFileAccess)
      {
        return Cause(
          .modeOwner,
          summary: """
            \(path) (\(node.octalMode)) has no execute bit, and without one not even root may execute it.
            """, at: path)
      }
      return Cause(
        .modeOwner,
        summary: """
          \(user) owns \(path), and the owner's bits (\(node.ownerBits)) lack \
          \(lacking(node.ownerBits)); for the owner, the bits of the group and of others do not count.
          """, at: path)
    case .modeGroup, .modeOther:
      if let entry = skippedEntry(of: node, wanted: wanted) { return maskCause(node, entry: entry) }
      guard assessment.decision.rule == .modeGroup, step.action != .search else { return nil }
      let given = node.owningGroupPermissions
      return Cause(
        .modeGroup,
        summary: """
          \(user) is in \(names.group(node.gid)), but the group's bits on \(path) \
          (\(given)) lack \(lacking(given)).
          """, at: path)
    default: return nil
    }
  }

  private func userEntry(of node: Node) -> ACLEntry? {
    node.acl?.first { $0.tag == .user && $0.id == subject.fsuid }
  }

  private func decidingEntry(of node: Node) -> ACLEntry? {
    guard let acl = node.acl, let index = assessment.decision.entry, acl.indices.contains(index)
    else { return userEntry(of: node) }
    return acl[index]
  }

  /// Returns an ACL entry that would be sufficient if the kernel evaluated the ACL.
  ///
  /// If the group bits, which are the mask, are empty, the kernel skips the ACL
  /// (`acl_permission_check` in fs/namei.c).
  private func skippedEntry(of node: Node, wanted: Permissions) -> ACLEntry? {
    guard let acl = node.acl, node.mode & 0o070 == 0 else { return nil }
    let groups = Set(subject.groups).union([subject.fsgid])
    return acl.first { entry in
      guard entry.permissions.isSuperset(of: wanted) else { return false }
      return switch (entry.tag, entry.id) {
      case (.user, let id?): id == subject.fsuid
      case (.group, let id): groups.contains(id ?? node.gid)
      default: false
      }
    }
  }

  private func maskCause(_ node: Node, entry: ACLEntry?) -> Cause {
    let who: String
    switch entry?.tag {
    case .group: who = names.group(entry?.id ?? node.gid)
    default: who = user
    }
    let given = entry?.permissions.description ?? "more"
    return Cause(
      .aclMask,
      summary: """
        The ACL of \(node.path) gives \(who) \(given), but its mask \
        (\(node.aclMask)) limits that.
        """, at: node.path)
  }

  private func groupEntryCause(_ node: Node, wanted: Permissions) -> Cause {
    let isDirectory = node.type == .directory
    if assessment.decision.allMatchingGroupsLack {
      return Cause(
        .aclGroupEntry,
        summary: """
          \(user) is in several groups that the ACL of \(node.path) names, and no one \
          of them has \(wanted.words(isDirectory: isDirectory)) together; the kernel does not add \
          them up.
          """, at: node.path)
    }
    let entry = decidingEntry(of: node)
    let group = names.group(entry?.id ?? node.gid)
    let given = entry?.permissions ?? []
    return Cause(
      .aclGroupEntry,
      summary: """
        The ACL of \(node.path) gives \(group) \(given), which lacks \
        \(wanted.subtracting(given).words(isDirectory: isDirectory)); with an ACL, ls shows the \
        mask in the group's place.
        """, at: node.path)
  }

  func otherOwnerCause(_ node: Node, _ step: Step) -> Cause {
    let isDirectory = node.type == .directory
    let words = step.wanted.words(isDirectory: isDirectory)
    if node.gid != 0, !assessment.wouldGrantAfterLogin,
      node.owningGroupPermissions.isSuperset(of: step.wanted), !isAlbum
    {
      return notMember(node, words)
    }
    return Cause(
      isAlbum ? .albumTraverse : .modeOwner, summary: othersLack(node, step), at: node.path)
  }

  private func othersLack(_ node: Node, _ step: Step) -> String {
    let isDirectory = node.type == .directory
    let lacking = step.wanted.subtracting(node.otherBits).words(isDirectory: isDirectory)
    let given = node.otherBits.words(isDirectory: isDirectory)
    let others =
      node.otherBits.isEmpty ? "no access" : "permission to \(given), but not to \(lacking)"
    return """
      \(node.path) (\(node.octalMode)) belongs to \(names.user(node.uid)) and \
      \(names.group(node.gid)), and gives others \(others).\
      \(MountOwner(assessment: assessment, names: names).sentence)
      """
  }

  private func notMember(_ node: Node, _ words: String) -> Cause {
    Cause(
      .groupNotMember,
      summary: """
        \(node.path) gives \(names.group(node.gid)) \(words) access, but \(user) is not in that \
        group.
        """, at: node.path)
  }

  /// Returns the cause for a device whose group would give access, if the subject is not a member.
  func memberCause(at node: Node, step: Step) -> Cause? {
    let groupGives =
      !isRootGroup(node.gid) && node.owningGroupPermissions.isSuperset(of: step.wanted)
    guard groupGives, !assessment.wouldGrantAfterLogin else { return nil }
    return notMember(node, step.wanted.words(isDirectory: false))
  }

  /// Returns the cause for a node whose group would give access, if its owner is unknown.
  func unknownOwnerCause() -> Cause? {
    guard let node = assessment.objectOfUnknownOwner else { return nil }
    return Cause(
      .groupNotMember,
      summary: """
        \(notMember(node, wanted.words(isDirectory: false)).summary) Its owner is not mapped in the user \
        namespace, so capabilities in the namespace do not apply to it.
        """, at: node.path, isProven: false)
  }

  /// Returns the cause for a device that only its owner, or its owner and group, may use.
  ///
  /// - Parameters:
  ///   - node: The node of the device.
  ///   - step: The check that refused access.
  ///   - isRuled: Pass `true` if the cause already names a udev rule for the device.
  /// - Returns: The cause.
  func ownerOnly(_ node: Node, _ step: Step, isRuled: Bool = false) -> Cause {
    // The class of others may have some of the wanted permissions.
    guard step.wanted.isDisjoint(with: node.otherBits) else {
      return Cause(.modeOwner, summary: othersLack(node, step), at: node.path)
    }
    // The effect of the rules is unknown if they were not read, or if udev has not processed the
    // node.
    let isKnown = facts.rules?.node == node.path && facts.rules?.device != nil
    let rule =
      !isRuled && isKnown && assessment.device?.hasUdevData ?? false
      ? ", and no udev rule gives it to another user" : ""
    let group =
      node.owningGroupPermissions.isSuperset(of: step.wanted) ? " and \(names.group(node.gid))" : ""
    return Cause(
      .modeOwner,
      summary: """
        Only \(names.user(node.uid))\(group) may \(step.wanted.words(isDirectory: false)) \
        \(node.path) (\(node.octalMode))\(rule).
        """, at: node.path)
  }

  /// Returns whether a group is the root group, either here or in the subject's user namespace.
  ///
  /// Users are not added to that group.
  private func isRootGroup(_ gid: UInt32) -> Bool {
    guard let map = subject.userNamespace else { return gid == 0 }
    return gid == 0 || map.groups.ranges.contains { $0.inside == 0 && $0.outside == gid }
  }

  // MARK: - Missing groups and capabilities

  /// Returns the causes if the group database lists a group that the process lacks.
  ///
  /// Either the user has not logged in since joining the group, or a launcher dropped it.
  func staleGroupCauses(at node: Node, wanted: Permissions) -> [Cause] {
    let login = facts.account.loginGroups ?? []
    let missing = login.filter { !subject.groups.contains($0) && $0 != subject.fsgid }
    let helpful = missing.filter { $0 == node.gid || node.namesGroup($0) }
    let group = (helpful.first ?? missing.first).map(names.group) ?? "a group"
    let supplementary = subject.groups.filter { $0 != subject.fsgid }
    let isBare = supplementary.isEmpty
    let refreshed = Cause(
      .groupNotRefreshed,
      summary: """
        The group database lists \(user) in \(group), but this process was started without that \
        group; a process keeps the groups with which it was started.
        """, at: node.path, isProven: !isBare)
    // systemd gives a service all groups of the user in `User=`.
    let who =
      confinement.serviceUnit.map {
        "the program itself, or a wrapper in \($0), changed its user without setting the groups"
      } ?? "the program that started it dropped them"
    let dropped = Cause(
      .groupsDropped,
      summary: """
        This process has none of the supplementary groups of \(user), such as \(group): \(who).
        """, at: node.path, isProven: false)
    guard isBare else { return [refreshed] }
    let wasLauncher = assessment.lacksEveryGroup || subject.userNamespace != nil
    return wasLauncher ? [dropped] : [refreshed, dropped]
  }

  /// Adds a sentence to the first cause if pam_group may add a group that would give access.
  func addModuleGroups(to causes: inout [Cause]) {
    let groups = assessment.helpfulModuleGroups.map(names.group)
    guard let first = groups.first, !causes.isEmpty else { return }
    causes[0].isProven = false
    causes[0].summary += """
       pam_group may add \(first) at a login (/etc/security/group.conf), which would give access: its rules \
      can depend on the service, the terminal and the time.
      """
  }

  func capabilityCause(at path: String) -> Cause {
    let names = assessment.raisableCapabilities.map(\.constant)
    let what =
      names.isEmpty
      ? "another of its own identifiers" : names.joined(separator: " or ")
    return Cause(
      .capabilityNotEffective,
      summary: "The process is refused as it is, and it may take \(what), which gives access.",
      at: path)
  }

  func loginRemedies() -> [Remedy] {
    if subject.userNamespace != nil
      || (confinement.container != nil && !confinement.isSystemContainer)
    {
      let start = ContainerOptions(assessment: assessment, names: names)
      return start.keepsHostGroups ? [start.newManager] : start.keepGroups()
    }
    if confinement.serviceUnit != nil { return [] }
    var remedies: [Remedy] = []
    // A user service is not started from a shell.
    let isOfManager = confinement.isUserService
    // newgrp(1) is set-user-ID root, so it does not work if set-user-ID bits are ignored.
    if assessment.canBecomeRoot, subject.fsuid == subject.ruid, !isOfManager,
      !assessment.lacksEveryGroup
    {
      let held = Set(subject.groups).union([subject.fsgid])
      let missing = (facts.account.loginGroups ?? []).filter { !held.contains($0) && $0 != 0 }
      remedies += missing.prefix(8).filter(names.hasPlainName(group:)).map { gid in
        Remedy(
          "Start the program from a shell that has \(names.group(gid))",
          commands: ["newgrp \(names.groupWord(gid))"], actor: .user,
          changes: [.addGroups([gid], isPrimary: true)], until: .programExit)
      }
    }
    let isOfSession = confinement.unit?.hasPrefix("session-") == true
    if confinement.hasSystemd == false || assessment.lacksEveryGroup || isOfSession {
      return remedies
    }
    remedies.append(
      Remedy(
        "Restart the user manager, so that its services get the new groups",
        commands: ["systemctl restart user@\(subject.ruid).service"], actor: .administrator,
        changes: [.logIn],
        takesEffect: "at once; this ends everything that the user manager runs",
        assumes: isOfManager ? nil : "the program is started by the user manager"))
    return remedies
  }
}

extension Node {
  /// Returns whether the ACL has an entry for a group.
  fileprivate func namesGroup(_ id: UInt32) -> Bool {
    acl?.contains { $0.tag == .group && $0.id == id } ?? false
  }
}
