/// Nodes whose owner or group is not mapped in the user namespace.
extension ContainersLayer {
  /// Returns the cause for a node whose owner or group is not mapped in the user namespace.
  ///
  /// - Returns: The cause; `nil` if the owner and group are mapped, or if mapping them would not
  ///   help.
  func unmappedCause(at node: Node, wanted: Permissions) -> Cause? {
    guard isUnmapped(node) || isHidden(node),
      let isProven = mappingHelps(node, wanted: wanted)
    else { return nil }
    return unmappedCause(node, isProven: isProven && !isHidden(node))
  }

  /// Returns whether the user namespace hides the owner and group of a device.
  ///
  /// If so, the entries of the device's ACL are unknown as well.
  func isHidden(_ node: Node) -> Bool {
    // The manager of a system container passes nodes into the container, and sets their owner
    // there.
    node.type.isDevice && isWithoutIDs(node) && subject.unobserved.contains(.overflowIDs)
      && confinement.container != "lxc"
  }

  /// Returns whether a node in a user namespace has the overflow ID as its owner and as its group.
  func isWithoutIDs(_ node: Node) -> Bool {
    node.uid == Subject.overflowID && node.gid == Subject.overflowID
      && subject.userNamespace != nil
  }

  /// Returns the causes that are due to the user namespace, with the more likely one first.
  ///
  /// A process that has no group other than its primary one has lost its supplementary groups.
  func namespaceCauses(_ unmapped: Cause) -> [Cause] {
    guard let dropped = droppedGroupsCause else { return [unmapped] }
    return subject.groups.allSatisfy { $0 == subject.fsgid }
      ? [dropped, unmapped] : [unmapped, dropped]
  }

  /// Returns whether the owner or the group of a node is not mapped in the user namespace.
  ///
  /// Capabilities in the namespace do not apply to such a node.
  private func isUnmapped(_ node: Node) -> Bool {
    guard let map = subject.userNamespace else { return false }
    return !map.users.covers(node.uid) || !map.groups.covers(node.gid)
  }

  /// Returns whether mapping all user and group IDs is certain to give access.
  ///
  /// - Returns: `true` if it is certain, `false` if it is only possible, and `nil` if mapping would
  ///   not help.
  private func mappingHelps(_ node: Node, wanted: Permissions) -> Bool? {
    if assessment.wouldGrantWithoutNamespace { return true }
    if isHidden(node) { return assessment.wouldGrantIfMapped(node) ? false : nil }
    // In a container, the groups that the user has on the host are unknown. These two can be started
    // by any user, so the container's account database says nothing about them.
    let isOfUser = confinement.container.map { ["podman", "firejail"].contains($0) } ?? false
    let couldBeMember =
      (facts.account.loginGroups == nil || isOfUser)
      && node.owningGroupPermissions.isSuperset(of: wanted)
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

  /// Returns the cause if the kernel refuses access to a node whose owner or group is not mapped.
  ///
  /// - Returns: The cause; `nil` if mapping the owner and group would not help.
  func overflowCause(_ errno: Errno) -> Cause? {
    if errno == .permissionDenied, let node = assessment.decidingStep?.node,
      let owner = hiddenOwnerCause(node)
    {
      return owner
    }
    if errno == .permissionDenied, let directory = closedDirectory {
      return Cause(
        .usernsUnmapped,
        summary: """
          The kernel refuses access to \(path) (\(errno.name)): nobody in this user namespace can \
          search \(directory.path) (\(directory.octalMode)), because the namespace does not map \
          its owner or group. Being root in it does not help.
          """, at: directory.path, isProven: false)
    }
    guard errno == .permissionDenied, let node = assessment.decidingStep?.node,
      assessment.wouldGrantIfMapped(node)
        || (assessment.shownRefusal?.node?.path == node.path && isWithoutIDs(node))
    else { return nil }
    return Cause(
      .usernsUnmapped,
      summary: """
        The kernel refuses access to \(path) (\(errno.name)): the user namespace does not map the \
        owner or the group of \(node.path).
        """, at: node.path, isProven: false)
  }

  /// The last directory on the path, if it cannot be searched and its owner or group is not mapped.
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

  /// The cause if podman or firejail dropped the supplementary groups of the user who started it.
  ///
  /// The value is `nil` if the groups were kept, in which case they show as the overflow ID.
  var droppedGroupsCause: Cause? {
    guard let container = confinement.container, ["podman", "firejail"].contains(container),
      let node = assessment.decidingStep?.node, subject.userNamespace != nil,
      node.gid == Subject.overflowID, !keepsGroups,
      node.owningGroupPermissions.isSuperset(of: assessment.wanted)
    else { return nil }
    let settings = ContainerOptions(assessment: assessment, names: names).firejailSettings
    let who =
      container == "firejail"
      ? "\(settings.joined(separator: " and ")) in firejail's profile removed them"
      : "the container engine (\(container)) dropped them"
    return Cause(
      .groupsDropped,
      summary: """
        The process has lost the supplementary groups of the user who started it: \(who). The \
        owner and group of \(node.path) show as \(Subject.overflowID), because they are not mapped \
        in the user namespace.
        """, at: node.path, isProven: false)
  }

  /// A Boolean value that indicates whether the process still has its host groups.
  private var keepsGroups: Bool { start.keepsHostGroups }

  /// Returns the cause for a device that only its owner may use, if the namespace hides the owner.
  ///
  /// If the user's own ID is mapped, a hidden owner is another user, so the mode also refuses
  /// access outside the namespace.
  ///
  /// Nodes of USB devices for which no rule sets a group have mode 0664 and belong to root
  /// (`50-udev-default.rules`).
  func hiddenOwnerCause(_ node: Node) -> Cause? {
    guard confinement.container != nil, isHidden(node), node.acl == nil,
      subject.userNamespace?.users.inside(subject.fsuid) != nil
    else { return nil }
    if node.mode & 0o077 != 0 {
      guard device?.subsystem == "usb", node.mode & 0o777 == 0o664, wanted.contains(.write) else {
        return nil
      }
      return Cause(
        .modeOwner,
        summary: """
          \(node.path) has udev's default mode for USB devices (0664), so probably only root may write \
          to it, and no rule outside gives it to \(user). Its owner and group are not mapped in the \
          user namespace.
          """, at: node.path, isProven: false)
    }
    return Cause(
      .modeOwner,
      summary: """
        \(node.path) has mode \(node.octalMode), so only its owner can use it. The owner is not \
        mapped in the user namespace, and is usually root. \(user) may not use it outside the \
        namespace either.
        """, at: node.path)
  }

  /// Returns the fixes on the host for a device that only its hidden owner may use.
  func hiddenOwnerRemedies(_ node: Node) -> [Remedy] {
    // If there are several devices of the kind, it is unknown which one the user needs.
    guard !facts.hasForeignNumbers, subject.fsuid != 0,
      facts.kind == nil || facts.devices.count == 1
    else { return [] }
    guard confinement.isSandbox else { return start.hostEntryRemedies(node) }
    let outside = start.outsidePath(node.path)
    let now = Remedy(
      "Outside the sandbox, add an ACL entry for \(user) to the node",
      commands: ["setfacl -m u:\(subject.fsuid):\(start.letters) \(outside.shellQuoted)"],
      actor: .administrator,
      until: .unknownEvent(of: device),
      assumes: "setfacl is installed outside the sandbox")
    guard let device, device.node == node.path,
      let match = RuleMatch.all(device, among: facts.devices).first
    else { return [now] }
    let lasting = Remedy(
      "On the host, have udev tag the device with uaccess for the active user of its seat",
      commands: UdevRuleRemedies.commands(
        adding: match.text + #", TAG+="uaccess""# + UdevRuleRemedies.staticNode(of: device),
        to: "72-devaccess-uaccess.rules")
        + UdevTrigger(facts).commands(node: outside, device: device),
      actor: .administrator, scope: match.scope, until: match.end,
      assumes: Remedy.both(
        "\(user) is active on \(device.seat)", "logind or elogind is running"))
    return [lasting, now]
  }

  /// Returns the cause for an ID-mapped mount that does not map the owner or group of a file.
  func unmappedThroughMountCause(at path: String) -> Cause {
    Cause(
      .usernsUnmapped,
      summary: """
        The owner or group of \(path) has no ID through this mount, so nobody may write to it.
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
    if let node, node.type == .directory, node.unobserved.contains(.contents) {
      return closedDirectoryRemedies(node)
    }
    guard let node, node.owningGroupPermissions.isSuperset(of: wanted),
      subject.userNamespace != nil
    else { return [] }
    guard confinement.container != nil else { return start.hostEntryRemedies(node) }
    // If the user is already a member of the group, the process is older than the membership.
    guard facts.account.loginGroups?.contains(node.gid) != true else { return [] }
    if confinement.isSystemContainer {
      // The manager creates the node again, with an owner and a group that the namespace maps.
      return start.passDevice(node.path).map(\.withoutChanges)
    }
    guard keepsGroups else {
      // podman has the option since 3.2, which is as old as Linux 5.12.
      let isOld = confinement.container == "podman" && confinement.hasKernel(before: "5.12")
      return isOld
        ? start.hostEntryRemedies(node) + start.keepGroups()
        : start.keepGroups() + start.hostEntryRemedies(node)
    }
    // The user of a flatpak is the user of the session. Rules give such nodes to a group for them, and
    // never to a group as powerful as root.
    if confinement.container == "flatpak", node.path.isConfigurationPath,
      let usual = DeviceGroup.usual(ofSubsystem: device?.subsystem, at: node.path)
    {
      let group = "$(stat -c %G \(node.path.shellQuoted))"
      return [
        Remedy(
          "Outside the sandbox, add \(user) to the group that owns the node there",
          commands: ["usermod -aG \"\(group)\" \(names.userWord(subject.fsuid))"],
          actor: .administrator,
          scope: "access to everything else that this group can use"
            + (DeviceGroup.reach(of: usual).map { ", \($0)" } ?? ""),
          takesEffect: "at the next login",
          assumes: "that group is not root, and has permission to use the node")
      ]
    }
    return [
      Remedy(
        """
        On the host, add the user who starts the container to the group that owns the node there, \
        and start the container from a new login
        """, actor: .administrator, takesEffect: "when the container is recreated",
        assumes: "that group has permission to use the node")
    ]
  }

  /// Returns the fix on the host for a directory whose owner or group the user namespace hides.
  private func closedDirectoryRemedies(_ node: Node) -> [Remedy] {
    guard subject.userNamespace != nil, !facts.hasForeignNumbers, subject.fsuid != 0 else {
      return []
    }
    let isContainer = confinement.container != nil
    return [
      Remedy(
        """
        On the host, let user \(subject.fsuid) (the user of this process there) search \
        \(isContainer ? "the directory; replace PATH with its path there" : node.path)
        """,
        commands: [
          "setfacl -m u:\(subject.fsuid):x \(isContainer ? "PATH" : node.path.shellQuoted)"
        ],
        actor: .administrator,
        scope: "access to the other files and directories in it, as far as their permissions allow",
        assumes: "the rest of the path allows the access")
    ]
  }

  /// Returns the reason why a node whose owner is not mapped cannot be changed inside the
  /// container.
  func noFixInside(_ cause: Cause) -> String {
    let path = cause.at ?? assessment.access.request.path
    let node = assessment.access.nodes.first { $0.path.isSame(as: path) }
    guard node?.type.isDevice == true else {
      return """
        Nothing inside the container can change \(path), because its owner or group has no ID \
        there. Outside, give it to an ID that the container maps\(example("\(subject.fsuid)")).
        """
    }
    return """
      Nothing inside the container can change \(path), because its owner or group has no ID \
      there. On the host, let \(device == nil ? "its driver" : "a udev rule") give the device to an ID \
      that the container maps\(device == nil ? "" : example(#"OWNER="\#(subject.fsuid)""#))\(replug).
      """
  }
}

extension ContainersLayer {
  /// A hint about rules for USB devices, which can reappear with other identifiers.
  private var replug: String {
    device?.bus == "usb"
      ? "; a device that reappears with another vendor or product number needs another rule"
      : ""
  }

  /// Returns a phrase that gives an example; empty if the host's numbers are unknown.
  private func example(_ text: String) -> String {
    facts.hasForeignNumbers ? "" : ", such as \(text)"
  }
}

extension IDMap {
  /// Returns whether the map contains an ID of the parent namespace.
  fileprivate func covers(_ id: UInt32) -> Bool {
    ranges.contains { id >= $0.outside && id - $0.outside < $0.length }
  }
}
