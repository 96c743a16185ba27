/// Owners and groups that a user namespace does not map.
extension ContainersLayer {
  /// Returns the cause for a node whose owner or group the namespace does not map, if mapping it
  /// could help.
  func unmappedCause(at node: Node, wanted: Permissions) -> Cause? {
    guard isUnmapped(node) || isHidden(node),
      let isProven = mappingHelps(node, wanted: wanted)
    else { return nil }
    return unmappedCause(node, isProven: isProven && !isHidden(node))
  }

  /// Returns a Boolean value that indicates whether the user namespace hides the owner and group of
  /// a device.
  ///
  /// The entries of its ACL are then unknown as well.
  func isHidden(_ node: Node) -> Bool {
    // The manager of a system container passes nodes in, and sets their owner inside.
    node.type.isDevice && isWithoutIDs(node) && subject.unobserved.contains(.overflowIDs)
      && confinement.container != "lxc"
  }

  /// Returns whether the owner and the group of a node show as the overflow ID in a user namespace.
  func isWithoutIDs(_ node: Node) -> Bool {
    node.uid == Subject.overflowID && node.gid == Subject.overflowID
      && subject.userNamespace != nil
  }

  /// Returns the causes that the namespace explains, the more certain one first.
  ///
  /// A process without any other group has lost the groups that it had outside.
  func namespaceCauses(_ unmapped: Cause) -> [Cause] {
    guard let dropped = droppedGroupsCause else { return [unmapped] }
    return subject.groups.allSatisfy { $0 == subject.fsgid }
      ? [dropped, unmapped] : [unmapped, dropped]
  }

  /// Returns a Boolean value that indicates whether the user namespace does not map the owner or
  /// the group.
  ///
  /// Capabilities in that namespace do not apply to such a node.
  private func isUnmapped(_ node: Node) -> Bool {
    guard let map = subject.userNamespace else { return false }
    return !map.users.covers(node.uid) || !map.groups.covers(node.gid)
  }

  /// Returns a Boolean value that indicates whether mapping every number is certain to give access;
  /// `nil` if it would not.
  private func mappingHelps(_ node: Node, wanted: Permissions) -> Bool? {
    if assessment.wouldGrantWithoutNamespace { return true }
    if isHidden(node) { return assessment.wouldGrantIfMapped(node) ? false : nil }
    // In a container, the user's groups on the host are unknown.
    let couldBeMember =
      facts.account.loginGroups == nil && node.owningGroupPermissions.isSuperset(of: wanted)
    return couldBeMember ? false : nil
  }

  private func unmappedCause(_ node: Node, isProven: Bool) -> Cause {
    let map = subject.userNamespace
    let isOwnerMapped = map?.users.covers(node.uid) ?? false
    let isGroupMapped = map?.groups.covers(node.gid) ?? false
    let what =
      isOwnerMapped
      ? "does not map its group"
      : isGroupMapped ? "does not map its owner" : "maps neither its owner nor its group"
    let root =
      subject.effective.isEmpty
      ? "" : " The capabilities that the process has in the namespace do not apply to it."
    return Cause(
      .usernsUnmapped,
      summary: """
        \(node.path) belongs to \(names.user(node.uid)) and \(names.group(node.gid)): the user \
        namespace \(what).\(root)
        """, at: node.path, isProven: isProven)
  }

  /// Returns the cause for an owner that the user namespace does not map, if mapping it would give
  /// access.
  func overflowCause(_ errno: Errno) -> Cause? {
    if errno == .permissionDenied, let directory = closedDirectory {
      return Cause(
        .usernsUnmapped,
        summary: """
          The kernel refuses \(path) (\(errno.name)): nobody in this user namespace can search \
          \(directory.path) (\(directory.octalMode)), because the namespace does not map its owner or \
          group. Being root in it does not help.
          """, at: directory.path, isProven: false)
    }
    guard errno == .permissionDenied, let node = assessment.decidingStep?.node,
      assessment.wouldGrantIfMapped(node)
        || (assessment.shownRefusal?.node?.path == node.path && isWithoutIDs(node))
    else { return nil }
    return Cause(
      .usernsUnmapped,
      summary: """
        The kernel refuses \(path) (\(errno.name)), and \(node.path) shows as \
        \(names.user(node.uid)) and \(names.group(node.gid)): the user namespace does not map \
        its owner or group.
        """, at: node.path, isProven: false)
  }

  /// The last directory of the path, if it cannot be searched and its owner or group is not mapped.
  ///
  /// An unmapped owner or group shows as the overflow ID.
  private var closedDirectory: Node? {
    guard subject.userNamespace != nil || subject.unobserved.contains(.overflowIDs),
      let node = assessment.decision.steps.last(where: { $0.node != nil })?.node,
      node.type == .directory, node.unobserved.contains(.contents),
      node.uid == Subject.overflowID || node.gid == Subject.overflowID
    else { return nil }
    return node
  }

  /// The cause for a process that lost the groups of the user who started the container or the
  /// sandbox.
  ///
  /// If an engine keeps the groups, they show as the overflow ID.
  var droppedGroupsCause: Cause? {
    guard let container = confinement.container, ["podman", "firejail"].contains(container),
      let node = assessment.decidingStep?.node, subject.userNamespace != nil,
      node.gid == Subject.overflowID, !keepsGroups,
      node.owningGroupPermissions.isSuperset(of: assessment.wanted)
    else { return nil }
    let settings = ContainerStart(assessment: assessment, names: names).firejailSettings
    let who =
      container == "firejail"
      ? "\(settings.joined(separator: " and ")) in the profile of firejail removed them"
      : "the engine dropped them"
    return Cause(
      .groupsDropped,
      summary: """
        \(node.path) shows as \(names.user(node.uid)) and \(names.group(node.gid)), because its owner \
        and group are not mapped in the user namespace. The process has lost the supplementary groups of \
        the user who started it: \(who).
        """, at: node.path, isProven: false)
  }

  /// A Boolean value that indicates whether the process still has host groups, which show as the
  /// overflow ID.
  private var keepsGroups: Bool { start.keepsHostGroups }

  /// Returns the cause for a device that only its owner may use, if the namespace hides the owner.
  ///
  /// An owner who is hidden is another user, so the mode refuses the user outside as well.
  func hiddenOwnerCause(_ node: Node) -> Cause? {
    guard confinement.container != nil, isHidden(node), node.mode & 0o077 == 0, node.acl == nil,
      subject.userNamespace?.users.inside(subject.fsuid) != nil
    else { return nil }
    return Cause(
      .modeOwner,
      summary: """
        \(node.path) has mode \(node.octalMode), so only its owner can use it. The owner is not mapped in \
        the user namespace, and is usually root. \(user) may not use it outside either.
        """, at: node.path)
  }

  /// Returns the fixes on the host for a device that only its hidden owner may use.
  func hiddenOwnerRemedies(_ node: Node) -> [Remedy] {
    // Which of several devices of a kind the user needs is unknown.
    guard !facts.hasForeignNumbers, subject.fsuid != 0,
      facts.kind == nil || facts.devices.count == 1
    else { return [] }
    guard confinement.isSandbox else { return start.hostEntryRemedies(node) }
    let outside = start.outsidePath(node.path)
    let now = Remedy(
      "Outside the sandbox, add an ACL entry for \(user) to the node",
      commands: ["setfacl -m u:\(subject.fsuid):\(start.letters) \(outside.shellQuoted)"],
      actor: .administrator, until: .deviceEvent(.unknown),
      assumes: "setfacl is installed outside the sandbox")
    guard let device, device.node == node.path,
      let match = RuleMatch.all(device, among: facts.devices).first
    else { return [now] }
    // The node can exist before its module is loaded.
    let isStatic = device.subsystem == "misc" && device.kernelName.isRuleWord
    let option = isStatic ? #", OPTIONS+="static_node=\#(device.kernelName)""# : ""
    let lasting = Remedy(
      "On the host, have udev tag the device with uaccess for the active user of its seat",
      commands: UdevRules.commands(
        adding: match.text + #", TAG+="uaccess""# + option, to: "72-devaccess-uaccess.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator, scope: match.scope, until: match.end,
      assumes: "\(user) is active on \(device.seat), and logind or elogind runs")
    return [lasting, now]
  }

  /// Returns the cause for a mount that does not map an owner or a group.
  func unmappedThroughMountCause(at path: String) -> Cause {
    Cause(
      .usernsUnmapped,
      summary: """
        The owner or group of \(path) has no number through this mount, so nobody may write it.
        """, at: path)
  }

  func namespaceRemedies(_ node: Node?) -> [Remedy] {
    if assessment.decision.rule == .inodeUnmappedID {
      return [
        Remedy(
          "Mount it with an ID map that covers the owner and the group", actor: .administrator,
          assumes: "its mode and ACL give the user permission")
      ]
    }
    guard let node, node.owningGroupPermissions.isSuperset(of: wanted),
      subject.userNamespace != nil, confinement.container != nil,
      // The user is in that group, and the process is older.
      facts.account.loginGroups?.contains(node.gid) != true
    else { return [] }
    let start = ContainerStart(assessment: assessment, names: names)
    if confinement.isSystemContainer {
      // The manager creates its own node, whose owner and group the namespace maps.
      return start.passDevice(node.path).map(\.withoutChanges)
    }
    guard keepsGroups else {
      let kept = start.keepGroups()
      return kept.isEmpty ? start.hostEntryRemedies(node) : kept
    }
    return [
      Remedy(
        """
        On the host, add the user who starts the container to the group that owns the node there, \
        and start the container from a new login
        """, actor: .administrator, takesEffect: "in a new container",
        assumes: "that group has permission to use the node")
    ]
  }

  /// Explains why nothing inside a container can change a node whose owner is not mapped there.
  func noFixInside(_ cause: Cause) -> String {
    let path = cause.at ?? assessment.access.request.path
    let node = assessment.access.nodes.first { $0.path.isSame(as: path) }
    guard node?.type.isDevice == true else {
      return """
        Nothing inside the container can change \(path), because its owner or group has no number \
        there. Outside, give it to a number that the container maps\(example("\(subject.fsuid)")).
        """
    }
    return """
      Nothing inside the container can change \(path), because its owner or group has no number \
      there. On the host, let \(device == nil ? "its driver" : "a udev rule") give the device to a number \
      that the container maps\(device == nil ? "" : example(#"OWNER="\#(subject.fsuid)""#))\(replug).
      """
  }
}

extension ContainersLayer {
  /// The hint for a rule for a USB device, which can come back under another ID.
  private var replug: String {
    device?.bus == "usb"
      ? "; a device that reappears with another vendor or product number needs another rule"
      : ""
  }

  /// Returns a number of the host as an example; empty if the host's numbers are unknown.
  private func example(_ text: String) -> String {
    facts.hasForeignNumbers ? "" : ", such as \(text)"
  }
}

extension IDMap {
  /// Returns a Boolean value that indicates whether the map contains an identifier of the outer
  /// namespace.
  fileprivate func covers(_ id: UInt32) -> Bool {
    ranges.contains { id >= $0.outside && id - $0.outside < $0.length }
  }
}
